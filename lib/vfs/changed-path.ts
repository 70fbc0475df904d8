/** What became of one path by a run. */
export interface ChangedPath {
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted'
  readonly kind: 'file' | 'directory'
  /** Bytes after the change; 0 for what was deleted and for folders. */
  readonly size: number
}
