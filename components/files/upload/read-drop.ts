/** A file from the user's disk, not read yet, or an empty folder. */
export interface ChosenFile {
  /** Relative, e.g. `folder/a.txt`. */
  readonly path: string
  /** Null for an empty folder. */
  readonly file: File | null
}

/** The files of a file field. With `webkitdirectory`, each file has its folder; browsers don't list empty folders. */
export const chosenFiles = (list: Iterable<File>): readonly ChosenFile[] =>
  Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }))

/**
 * Dropped or pasted files, with folders walked recursively; empty folders are included. Call it synchronously, because
 * the entries are gone after the event. Rejects if a folder can't be read.
 */
export function droppedFiles(data: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = Array.from(data.items ?? [], (item) =>
    item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? null) : null,
  )
  // A paste, or a browser without entries, gives plain files.
  if (!entries.some((entry) => entry !== null)) return Promise.resolve(chosenFiles(data.files))
  return Promise.all(entries.flatMap((entry) => (entry ? [walk(entry)] : []))).then((lists) => lists.flat())
}

async function walk(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  const path = entry.fullPath.replace(/^\/+/, '')
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: ChosenFile[] = []
  let isEmpty = true
  for (;;) {
    // Chromium returns 100 at a time, until none are left.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return isEmpty ? [{ path, file: null }] : found
    isEmpty = false
    for (const child of batch) found.push(...(await walk(child)))
  }
}
