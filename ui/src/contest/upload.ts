// Files that a team chose and sends: what is chosen stays until the server has given its receipt.

import { asProblem, path, postForm, type Problem } from '../api/client.ts';
import type { Contest, Mission, ReceivedSubmission, SubmissionDetail } from '../api/contest-types.ts';
import { checkFiles, withoutCommonFolder, type FileCheck } from './file-list.ts';

export interface Picked {
  readonly name: string;
  readonly file: File;
}

export type SendForm = (form: FormData, key: string, sent: (part: number) => void) => Promise<ReceivedSubmission>;

export class Upload {
  picked: readonly Picked[] = [];
  /** Between 0 and 1 while files leave. */
  sent: number | null = null;
  problem: Problem | null = null;
  receipt: ReceivedSubmission | null = null;
  keeps = true;
  /** The same for every try of the same files: a repeated request makes no second submission. */
  private key: string | null = null;

  constructor(
    private readonly contest: Contest, readonly mission: Mission, private readonly team: string | null,
    private readonly changed: () => void, private readonly sender: SendForm = sendForm,
  ) {}

  pick(files: readonly File[]): void {
    const paths = files.map((file) => file.webkitRelativePath || (file as File & { droppedPath?: string }).droppedPath || file.name);
    const names = withoutCommonFolder(paths);
    const added = files.map((file, index): Picked => ({ name: names[index], file }));
    this.picked = [...this.picked.filter(({ name }) => !added.some((one) => one.name === name)), ...added];
    this.touched();
  }

  unpick(name: string): void {
    this.picked = this.picked.filter((one) => one.name !== name);
    this.touched();
  }

  keep(keeps: boolean): void {
    this.keeps = keeps;
    this.touched();
  }

  clear(): void {
    this.picked = [];
    this.touched();
  }

  check(last: SubmissionDetail | null): FileCheck {
    const kept = this.keeps ? (last?.files ?? []).map(({ name }) => name) : [];
    return checkFiles(this.mission.files, this.picked.map(({ name, file }) => ({ name, bytes: file.size })), kept, this.contest.limits);
  }

  async send(last: SubmissionDetail | null): Promise<ReceivedSubmission | null> {
    if (this.sent !== null || !this.check(last).canSend) return null;
    this.problem = null;
    this.receipt = null;
    this.sent = 0;
    this.key ??= crypto.randomUUID();
    this.changed();
    try {
      this.receipt = await this.sender(this.form(last), this.key, (part) => {
        this.sent = part;
        this.changed();
      });
      this.picked = [];
      this.key = null;
      return this.receipt;
    } catch (error) {
      this.problem = asProblem(error);
      return null;
    } finally {
      this.sent = null;
      this.changed();
    }
  }

  private form(last: SubmissionDetail | null): FormData {
    const form = new FormData();
    form.append('mission', this.mission.id);
    if (this.team !== null) form.append('team', this.team);
    if (this.keeps && last) form.append('keep', last.id);
    for (const { name, file } of this.picked) form.append('file', file, name);
    return form;
  }

  private touched(): void {
    this.key = null;
    this.receipt = null;
    this.problem = null;
    this.changed();
  }
}

function sendForm(form: FormData, key: string, sent: (part: number) => void): Promise<ReceivedSubmission> {
  return postForm(path('submissions'), form, { 'Idempotency-Key': key }, sent);
}

/** Files of a drop, those inside of folders too. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...transfer.files];
  const found = await Promise.all(entries.map((entry) => filesOf(entry)));
  return found.flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [Object.assign(file, { droppedPath: entry.fullPath.replace(/^\//, '') })];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...await filesOf(inner));
  }
}
