/** Search and filters: the same for map, table and fragments. */
import { count } from '../text/format.ts';
import { fieldsOf } from './fields.ts';
import { type Choice, choices } from './filters.ts';
import type { Run } from './page-data.ts';
import { select, useSelection } from './store.ts';

const LABELS = { population: 'Population', outcome: 'Outcome', cause: 'Cause' } as const;
type By = keyof typeof LABELS;

export function DeviceFilters({ run, found }: { readonly run: Run; readonly found: number }) {
  const { query, campaign } = useSelection();
  const names = run.views.map(({ name }) => name);
  const shown: By[] = names.length > 0 ? ['population', 'outcome', 'cause'] : ['population'];
  return (
    <search class="filters">
      <label>
        Search
        <input
          type="search"
          value={query}
          placeholder="name or DevEUI"
          onInput={(event) => select({ query: (event.currentTarget as HTMLInputElement).value })}
        />
      </label>
      {names.length > 1 && (
        <label>
          Campaign
          <select
            value={campaign === '' ? names[0]! : campaign}
            onChange={(event) => select({ campaign: chosenIn(event) })}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {shown.map((by) => (
        <Filter key={by} by={by} run={run} />
      ))}
      <Where run={run} />
      <button
        type="button"
        onClick={() => select({ query: '', population: '', outcome: '', cause: '', where: '' })}
      >
        Clear filters
      </button>
      <span role="status">{count(found)} devices</span>
    </search>
  );
}

/** A bound on any column of numbers. */
function Where({ run }: { readonly run: Run }) {
  const { where } = useSelection();
  const [, key = '', sign = '<', value = ''] = /^(\w*)([<>]?)(.*)$/.exec(where) ?? [];
  const fields = fieldsOf(run).filter(({ isNumber }) => isNumber);
  const unit = fields.find((field) => field.key === key)?.unit ?? '';
  const put = (change: { key?: string; sign?: string; value?: string }) => {
    const next = { key, sign, value, ...change };
    select({ where: next.key === '' ? '' : `${next.key}${next.sign || '<'}${next.value}` });
  };
  return (
    <fieldset>
      <label>
        Column
        <select value={key} onChange={(event) => put({ key: chosenIn(event) })}>
          <option value="">any</option>
          {fields.map((field) => (
            <option key={field.key} value={field.key}>
              {field.label}
            </option>
          ))}
        </select>
      </label>
      {key !== '' && (
        <>
          <label>
            is
            <select value={sign || '<'} onChange={(event) => put({ sign: chosenIn(event) })}>
              <option value="<">at most</option>
              <option value=">">at least</option>
            </select>
          </label>
          <label>
            {unit === '' ? 'Value' : unit}
            <input
              type="number"
              step="any"
              value={value}
              onInput={(event) => put({ value: (event.currentTarget as HTMLInputElement).value })}
            />
          </label>
        </>
      )}
    </fieldset>
  );
}

const chosenIn = (event: Event): string => (event.currentTarget as HTMLSelectElement).value;

function Filter({ by, run }: { readonly by: By; readonly run: Run }) {
  const selection = useSelection();
  const all: readonly Choice[] = choices(run, selection, by);
  if (all.length < 2 && selection[by] === '') return null;
  return (
    <label>
      {LABELS[by]}
      <select value={selection[by]} onChange={(event) => select({ [by]: chosenIn(event) })}>
        <option value="">all</option>
        {all.map(({ value, label, devices }) => (
          <option key={value} value={value}>
            {label} ({count(devices)})
          </option>
        ))}
      </select>
    </label>
  );
}
