/** Scripts for shells from the table of commands: they hold all words, and start no program. */
import type { CompletedCommand, CompletedOption, Kind } from './completion-table.ts';

type Table = readonly CompletedCommand[];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Usage: `source <(fleetwave completion bash)`. */
export function bash(table: Table): string {
  const valued = table.flatMap(({ path, options }) =>
    options.flatMap(({ name, value }) => (value ? [{ path, name, value }] : [])),
  );
  const values = valued.map(({ path, name, value }) => {
    return `    ${quoted(`${path} --${name}`)}) echo ${quoted(inBash(value))} ;;`;
  });
  const places = table.flatMap(({ path, positionals }) =>
    positionals.map((kind, i) => `    ${quoted(`${path} ${i}`)}) echo ${quoted(inBash(kind))} ;;`),
  );
  const commands = table.map(({ path, commands: names, options }) => {
    const words = options.map(({ name }) => `--${name}`).join(' ');
    return `    ${quoted(path)}) commands=${quoted(names.join(' '))} options=${quoted(words)} ;;`;
  });
  return `# Completion of fleetwave for bash: source <(fleetwave completion bash)
_fleetwave_kind() {
  case $1 in
${[...values, ...places].join('\n')}
    *) return 1 ;;
  esac
}
_fleetwave_words() {
  case $1 in
${commands.join('\n')}
  esac
}
${BASH_FUNCTIONS}`;
}

/** What is the same whatever the commands are: finds command and place, and offers words. */
const BASH_FUNCTIONS = `_fleetwave_files() {
  local ending
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(
    if [[ $1 == @files ]]; then compgen -f -- "$cur"; else compgen -d -- "$cur"; fi
    [[ $1 == @ending:* ]] && for ending in \${1#*:}; do
      compgen -f -X "!*.$ending" -- "$cur"
    done | sort -u
  )
}
_fleetwave() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' count=0 option='' commands='' options='' word kind i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
    if [[ $word == -- ]]; then compopt -o default 2>/dev/null; return; fi
    if [[ -n $option ]]; then option=''; continue; fi
    _fleetwave_words "$path"
    if [[ $word == -* ]]; then
      _fleetwave_kind "$path $word" >/dev/null && option=$word
    elif [[ " $commands " == *" $word "* ]]; then
      path=\${path:+$path }$word
    else
      ((count++))
    fi
  done
  [[ $cur == = ]] && cur=''
  _fleetwave_words "$path"
  if [[ -n $option ]]; then
    kind=$(_fleetwave_kind "$path $option")
  elif [[ $cur == -* ]]; then
    kind=$options
  elif [[ -n $commands ]]; then
    kind=$commands
  else
    kind=$(_fleetwave_kind "$path $count")
  fi
  case $kind in
    @*) _fleetwave_files "$kind" ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$kind" -- "$cur") ;;
  esac
}
complete -F _fleetwave fleetwave
`;

/** Words as they are; `@files`, `@folders`, or `@ending:yaml yml`, with folders on the way. */
function inBash(kind: Kind): string {
  if (kind.is === 'words') return kind.words.join(' ');
  if (kind.is === 'folders') return '@folders';
  if (kind.is === 'anything') return '';
  return kind.endings.length === 0 ? '@files' : `@ending:${kind.endings.join(' ')}`;
}

/** Usage: `fleetwave completion zsh > "${fpath[1]}/_fleetwave"`. */
export function zsh(table: Table): string {
  const functions = table.map((command) => {
    const { path, options, positionals, commands } = command;
    const spec = options.map((option) => `    ${quoted(inZsh(option))} \\\n`).join('');
    const name = zshFunction(path);
    if (commands.length === 0) {
      const places = positionals.map((kind, i) => {
        return `    ${quoted(`${i + 1}::${zshAction(kind)}`)} \\\n`;
      });
      return `${name}() {\n  _arguments \\\n${spec}${places.join('')}    && return 0\n}\n`;
    }
    const inner = commands.map((each) => {
      const { about = '' } = table.find((one) => one.path === `${path} ${each}`.trim()) ?? {};
      return `    ${quoted(`${each}:${about.replaceAll(':', '\\:')}`)}\n`;
    });
    const cases = commands.map((each) => {
      return `        ${each}) ${zshFunction(`${path} ${each}`.trim())} ;;\n`;
    });
    return `${name}() {
  local curcontext=$curcontext state line
  local -a commands=(
${inner.join('')}  )
  _arguments -C \\
${spec}    '1: :->command' '*:: :->rest' && return 0
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
${cases.join('')}      esac ;;
  esac
}
`;
  });
  return `#compdef fleetwave
# Completion of fleetwave for zsh: fleetwave completion zsh > "\${fpath[1]}/_fleetwave"
${functions.join('')}if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _fleetwave "$@"
else
  compdef _fleetwave fleetwave
fi
`;
}

const zshFunction = (path: string): string => `_fleetwave${path && `_${path.replace(' ', '_')}`}`;

function inZsh({ name, about, value }: CompletedOption): string {
  const said = about.replace(/[[\]:\\]/g, '\\$&');
  return value === undefined ? `--${name}[${said}]` : `*--${name}=[${said}]:${zshAction(value)}`;
}

function zshAction(kind: Kind): string {
  if (kind.is === 'words') return `word:(${kind.words.join(' ')})`;
  if (kind.is === 'folders') return 'folder:_files -/';
  if (kind.is === 'anything') return 'value: ';
  return kind.endings.length === 0
    ? 'file:_files'
    : `file:_files -g "*.(${kind.endings.join('|')})"`;
}

/** Usage: `fleetwave completion fish > ~/.config/fish/completions/fleetwave.fish`. */
export function fish(table: Table): string {
  const lines = table.flatMap(({ path, options, positionals, commands }) => {
    const begins = commands.map((name) => {
      const { about = '' } = table.find((one) => one.path === `${path} ${name}`.trim()) ?? {};
      return `${under(path, commands)} -a ${name} -d ${quoted(about)}`;
    });
    const flags = options.map(({ name, about, value }) => {
      return `${under(path, [])} -l ${name}${inFish(value)} -d ${quoted(about)}`;
    });
    const places = positionals.map((kind) => `${under(path, [])}${inFish(kind)}`);
    return [...begins, ...flags, ...places.filter((line) => line.includes(' -a '))];
  });
  return `# Completion of fleetwave for fish: fleetwave completion fish | source
complete -c fleetwave -f
${lines.map((line) => `complete -c fleetwave ${line.trim()}`).join('\n')}
`;
}

/** The command has come to this path, and to none of the next words. */
function under(path: string, without: readonly string[]): string {
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const conditions = [
    ...(path === '' ? [] : seen),
    ...(without.length === 0 ? [] : [`not __fish_seen_subcommand_from ${without.join(' ')}`]),
  ];
  return conditions.length === 0 ? '' : `-n ${quoted(conditions.join('; and '))}`;
}

function inFish(kind: Kind | undefined): string {
  if (kind === undefined) return '';
  if (kind.is === 'words') return ` -x -a ${quoted(kind.words.join(' '))}`;
  if (kind.is === 'folders') return " -x -a '(__fish_complete_directories)'";
  if (kind.is === 'anything') return ' -x';
  const { endings } = kind;
  if (endings.length === 0) return " -x -a '(__fish_complete_path)'";
  const suffixes = endings.map((ending) => `.${ending}`).join(' ');
  return ` -x -k -a ${quoted(`(__fish_complete_suffix ${suffixes})`)}`;
}
