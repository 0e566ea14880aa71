/** What is tested here: a small client of the platform, as you may have one. */

/** Tries again what was answered 429 or 5xx, up to three times, after what Retry-After says. */
export async function retrying(request) {
  for (let left = 3; ; left--) {
    const answer = await request();
    const { status, headers } = answer.response;
    if (left === 0 || (status !== 429 && status < 500)) return answer;
    const seconds = Number(headers.get('retry-after') ?? 0);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Updates devices to an image, and returns the campaign's id. */
export async function update(client, { name, image, devices }) {
  const group = await client.POST('/api/v3.2/device_groups', { body: { name, devices } });
  const body = { name, image_name: image, device_group_id: group.data.device_group_id };
  const { data } = await client.POST('/api/v3.2/campaigns', { body });
  return data.campaign_id;
}
