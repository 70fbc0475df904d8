/** Codes follow Node's; `message` is a sentence for people and models. */
export type VfsErrorCode =
  | 'ENOENT'
  | 'EISDIR'
  | 'ENOTDIR'
  | 'EEXIST'
  | 'EINVAL'
  | 'EACCES'
  | 'ELOOP'
  | 'ENAMETOOLONG'
  | 'EFBIG'
  | 'EDQUOT'
  | 'ENOSPC'
  | 'ENOTEMPTY'
  | 'EIO'
  | 'EBUSY'

export interface VfsError {
  readonly code: VfsErrorCode
  readonly message: string
  readonly path: string
}

export type VfsResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: VfsError }

export interface VfsEntry {
  readonly name: string
  readonly kind: 'file' | 'directory'
  /** Bytes; 0 for directories. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

export interface VfsUsage {
  readonly usedBytes: number
  readonly limitBytes: number
  readonly files: number
}

/**
 * The files of one conversation. Paths are absolute, normalised by the implementation (`lib/vfs/path.ts`); a bad path is
 * an error value, never a throw. A promise that resolves ok means: durable, whole (never torn), visible to other tabs.
 */
export interface Vfs {
  stat(path: string): Promise<VfsResult<VfsEntry>>
  /** Sorted: directories first, then by name. */
  list(path: string): Promise<VfsResult<readonly VfsEntry[]>>
  read(path: string): Promise<VfsResult<Uint8Array>>
  /** Creates parent directories; replaces a whole file atomically. */
  write(path: string, data: Uint8Array): Promise<VfsResult<{ readonly size: number; readonly replaced: boolean }>>
  makeDirectory(path: string): Promise<VfsResult<null>>
  /** Removes a file, or a directory with all it holds. */
  remove(path: string): Promise<VfsResult<null>>
  move(from: string, to: string): Promise<VfsResult<null>>
  usage(): Promise<VfsUsage>
  /** Called after any change, also by another tab. Returns the unsubscribe function. */
  watch(listener: () => void): () => void
  close(): Promise<void>
}
