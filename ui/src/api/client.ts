// Requests to the program; whatever goes wrong becomes a Problem with words for the reader.

import { words } from '../words.ts';
import type { Finding } from './types.ts';

interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly hint?: string | null;
  readonly findings?: readonly Finding[];
  readonly code?: string;
  /** What somebody else entered meanwhile (status 412). */
  readonly value?: unknown;
  readonly etag?: string;
}

export class Problem extends Error {
  readonly title: string;
  readonly detail: string;
  readonly hint: string;

  constructor(readonly status: number, readonly body: ProblemBody) {
    super(body.title ?? words.problem.unknown);
    this.title = body.title ?? words.problem.unknown;
    this.detail = body.detail ?? '';
    this.hint = body.hint ?? '';
  }

  /** True if no answer came: the program ended or the connection is lost. */
  get isLost(): boolean {
    return this.status === 0;
  }
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(-1, { title: words.problem.unknown, detail: error instanceof Error ? error.message : String(error) });
}

const ROOT = '/api/v1';

export function path(...parts: readonly (string | number)[]): string {
  return `${ROOT}/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function withQuery(url: string, query: Readonly<Record<string, string | number>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `${url}?${parameters.toString()}`;
}

export async function getJson<T>(url: string): Promise<T> {
  return (await jsonOf(await send(url, {}))) as T;
}

const PAGE = 200;
const MAX_PAGES = 25;

/** A whole list, page by page; `after` is the id of the last one that was read. */
export async function readAll<T extends { readonly id: string }>(url: string, query: Readonly<Record<string, string | number>>): Promise<readonly T[]> {
  const all = new Map<string, T>();
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked: Record<string, string | number> = { ...query, limit: PAGE };
    if (after !== null) asked.after = after;
    const { items }: { items: readonly T[] } = await getJson(withQuery(url, asked));
    const known = all.size;
    for (const item of items) all.set(item.id, item);
    after = items.at(-1)?.id ?? null;
    if (items.length < PAGE || all.size === known) break;
  }
  return [...all.values()];
}

export async function getWithTag<T>(url: string): Promise<{ value: T; tag: string | null }> {
  const response = await send(url, {});
  return { value: (await jsonOf(response)) as T, tag: response.headers.get('ETag') };
}

export async function postJson<T>(url: string, body: unknown): Promise<T> {
  return (await jsonOf(await send(url, withBody('POST', body)))) as T;
}

export async function putJson<T>(url: string, body: unknown, tag: string | null): Promise<{ value: T; tag: string | null }> {
  const request = withBody('PUT', body);
  const headers: Record<string, string> = { ...request.headers, ...(tag === null ? {} : { 'If-Match': tag }) };
  const response = await send(url, { ...request, headers });
  return { value: (await jsonOf(response)) as T, tag: response.headers.get('ETag') };
}

export async function deleteJson<T>(url: string, body: unknown, tag: string | null = null): Promise<T> {
  const request = withBody('DELETE', body);
  const headers: Record<string, string> = { ...request.headers, ...(tag === null ? {} : { 'If-Match': tag }) };
  return (await jsonOf(await send(url, { ...request, headers }))) as T;
}

/** Sends a form and tells how much of it has left; the part is between 0 and 1. */
export function postForm<T>(url: string, form: FormData, headers: Readonly<Record<string, string>>, sent: (part: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable && event.total > 0) sent(event.loaded / event.total);
    });
    request.addEventListener('error', () => reject(lostProblem()));
    request.addEventListener('abort', () => reject(lostProblem()));
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(new Problem(request.status, (body as ProblemBody | null) ?? { title: words.problem.status(request.status) }));
    });
    request.send(form);
  });
}

export async function getImage(url: string): Promise<ImageBitmap> {
  const response = await send(url, {});
  return createImageBitmap(await response.blob());
}

function withBody(method: string, body: unknown): { method: string; headers: Record<string, string>; body: string } {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function send(url: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'same-origin', ...request });
  } catch {
    throw lostProblem();
  }
  if (!response.ok) throw new Problem(response.status, await problemOf(response));
  return response;
}

function lostProblem(): Problem {
  return new Problem(0, { title: words.problem.lost, detail: words.problem.lostDetail, hint: words.problem.lostHint });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function problemOf(response: Response): Promise<ProblemBody> {
  try {
    return (await response.json()) as ProblemBody;
  } catch {
    return { title: words.problem.status(response.status) };
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.status === 204 ? null : response.json();
}
