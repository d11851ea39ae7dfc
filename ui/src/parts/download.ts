// Hands a text to the reader as a file.

const REVOKE_AFTER_MS = 10_000;

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** The text of the file that was chosen in a file field; the field is emptied so that it can be chosen again. */
export async function chosenText(event: Event): Promise<string | null> {
  const field = event.target as HTMLInputElement;
  const file = field.files?.[0];
  const text = file ? await file.text() : null;
  field.value = '';
  return text;
}
