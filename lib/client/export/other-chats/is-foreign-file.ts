import { loadZipLibrary } from '@/lib/client/files/zip/zip-library'

/**
 * Whether a file is an export of another product's chats, or may be one, as far as its beginning or its list of names says. Rejects
 * where the code to look into a zip did not come.
 */
export async function isForeignFile(file: Blob): Promise<boolean> {
  const begin = await file.slice(0, 4_096).text()
  if (!begin.startsWith('PK')) return /^\s*[[{]/.test(begin) && !/"format"\s*:\s*"nod-/.test(begin)
  const library = await loadZipLibrary()
  const reader = new library.ZipReader(new library.BlobReader(file), { filenameValidation: 'tolerant' })
  try {
    for await (const { filename } of reader.getEntriesGenerator()) {
      if (filename === 'conversation.json') return false
      if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(filename)) return true
    }
    return false
  } catch {
    // Whoever reads zips of Nod says what is wrong with it.
    return false
  } finally {
    await reader.close()
  }
}
