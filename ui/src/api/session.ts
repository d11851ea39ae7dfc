// The end of the work: the program stops and tells all open pages.

import { path, postJson } from './client.ts';

export async function finish(): Promise<void> {
  await postJson(path('finish'), {});
}
