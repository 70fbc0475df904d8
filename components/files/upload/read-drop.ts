/** A file from the reader's disk, not read yet; or an empty folder. */
export interface ChosenFile {
  /** Relative, as `folder/a.txt`. */
  readonly path: string
  /** Null: a folder that holds nothing. */
  readonly file: File | null
}

/** What a file field gives; with `webkitdirectory` each file knows its folder, and no browser tells of empty ones. */
export const chosenFiles = (list: Iterable<File>): readonly ChosenFile[] =>
  Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }))

/**
 * What was dropped or pasted, folders walked through; those without anything in them are told too. The entries must be taken before the event ends: call it at once.
 * Rejects when a folder can't be read.
 */
export function droppedFiles(data: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = Array.from(data.items ?? [], (item) =>
    item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? null) : null,
  )
  // A browser without entries, or a paste, gives plain files.
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
    // A hundred at a time in Chromium, until none are left.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return isEmpty ? [{ path, file: null }] : found
    isEmpty = false
    for (const child of batch) found.push(...(await walk(child)))
  }
}
