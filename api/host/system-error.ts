/** What the operating system refuses, in words for a person. */

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file is in the way',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** Rethrows what did not come from the operating system. */
export function describeSystemError(error: unknown): string {
  if (!isSystemError(error)) throw error;
  return WORDS[error.code ?? ''] ?? `${error.code}`;
}
