// Which of the chosen files fit what a mission asks for.

import type { FileRule } from '../api/contest-types.ts';

export interface ChosenFile {
  /** Relative path inside of the folder that was chosen. */
  readonly name: string;
  readonly bytes: number;
}

export interface Limits {
  readonly file_bytes: number;
  readonly submission_bytes: number;
  readonly files: number;
}

export interface RuleState {
  readonly rule: FileRule;
  readonly files: readonly string[];
  /** Files of the last submission that stand in for the rule. */
  readonly kept: readonly string[];
  readonly state: 'chosen' | 'kept' | 'missing' | 'optional';
}

export interface FileCheck {
  readonly rules: readonly RuleState[];
  /** Files that no rule asks for: they are sent, and nothing reads them. */
  readonly others: readonly string[];
  readonly bytes: number;
  readonly problems: readonly { readonly kind: 'file_bytes' | 'submission_bytes' | 'files'; readonly name: string }[];
  readonly canSend: boolean;
}

/** `*` and `?` stand for characters of one name, in any case; a pattern without folders fits the last part of a path too. */
export function fits(pattern: string, name: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
  const matches = new RegExp(`^${escaped}$`, 'i');
  return matches.test(name) || (!pattern.includes('/') && matches.test(name.split('/').pop() ?? name));
}

/** A chosen folder stands in front of each path: without it the names are those that the patterns ask for. */
export function withoutCommonFolder(files: readonly string[]): readonly string[] {
  const [first] = files;
  const slash = first?.indexOf('/') ?? -1;
  if (slash < 0) return files;
  const folder = first.slice(0, slash + 1);
  return files.every((name) => name.startsWith(folder)) ? files.map((name) => name.slice(folder.length)) : files;
}

export function checkFiles(rules: readonly FileRule[], chosen: readonly ChosenFile[], last: readonly string[], limits: Limits): FileCheck {
  const states = rules.map((rule): RuleState => {
    const files = chosen.map(({ name }) => name).filter((name) => fits(rule.pattern, name));
    const kept = last.filter((name) => fits(rule.pattern, name) && !chosen.some((file) => file.name === name));
    const state = files.length > 0 ? 'chosen' : kept.length > 0 ? 'kept' : rule.required ? 'missing' : 'optional';
    return { rule, files, kept, state };
  });
  const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0);
  const problems: FileCheck['problems'][number][] = chosen.filter((file) => file.bytes > limits.file_bytes).map(({ name }) => ({ kind: 'file_bytes', name }));
  if (bytes > limits.submission_bytes) problems.push({ kind: 'submission_bytes', name: '' });
  if (chosen.length > limits.files) problems.push({ kind: 'files', name: '' });
  return {
    rules: states, bytes, problems,
    others: chosen.map(({ name }) => name).filter((name) => !rules.some((rule) => fits(rule.pattern, name))),
    canSend: chosen.length > 0 && problems.length === 0,
  };
}
