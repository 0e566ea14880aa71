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
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file becomes too large',
  EIO: 'the device fails',
  EMFILE: 'too many files are open',
  EADDRINUSE: 'the port is in use (--port 0: any that is free)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such address',
  EAI_AGAIN: 'the name cannot be looked up now',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links lead in a circle',
  EXDEV: 'it is on another file system',
  ENOTEMPTY: 'the folder is not empty',
  EBUSY: 'it is in use',
};

/** The disk is full or broken: whatever was asked for was right. */
const OF_THE_DISK: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

export const isDiskFault = (error: unknown): boolean =>
  isSystemError(error) && OF_THE_DISK.has(error.code);

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** Does something to a file that is open, whose path the system does not say when it refuses. */
export function namingFile<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (isSystemError(error)) error.path ??= path;
    throw error;
  }
}

/** Rethrows what did not come from the operating system. */
export function describeSystemError(error: unknown): string {
  if (!isSystemError(error)) throw error;
  return WORDS[error.code ?? ''] ?? `${error.code}`;
}
