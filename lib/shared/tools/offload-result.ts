import { refusalText } from '@/lib/i18n/t'
import { errorText } from '@/lib/base/text/error-text'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { Vfs } from '@/lib/vfs/vfs'
import { capResult, maxResultCharacters } from './cap-result'
import { inTurn } from './in-turn'

/*
 * A result that is too large for the conversation is cut, and kept whole in its files, where `read_file` pages through it:
 *
 *   {"content": "first … 90000 characters left out … last",
 *    "whole": "/.nod/results/read_file-3.txt", "note": "… read_file pages through it."}
 *
 * The number goes on from the highest one in the folder, so nothing but the folder has to be remembered.
 */

export const resultsFolder = '/.nod/results'
/** Of these the newest stay. */
export const maxStoredResults = 20
/** Room for `whole` and `note` beside the cut result. */
const noteRoom = 600
/** Files that hang must not hold a result back. */
const patienceMs = 5_000

interface StoredFile {
  readonly name: string
  readonly number: number
}

/** What the file holds: text that is a whole result, or nearly all of one, stays text with its own lines. */
function fileOf(result: JsonValue): { readonly text: string; readonly extension: 'txt' | 'json'; readonly of: string } {
  if (typeof result === 'string') return { text: result, extension: 'txt', of: 'the whole result' }
  if (isJsonObject(result)) {
    const total = JSON.stringify(result).length
    for (const [key, value] of Object.entries(result)) {
      if (typeof value === 'string' && JSON.stringify(value).length > total * 0.9) {
        return { text: value, extension: 'txt', of: `the whole of \`${key}\`` }
      }
    }
  }
  return { text: JSON.stringify(result, null, 1), extension: 'json', of: 'the whole result as JSON' }
}

const numberIn = (name: string): number => Number(/-(\d{1,9})\.(?:txt|json)$/.exec(name)?.[1] ?? 0)

async function keptFiles(vfs: Vfs): Promise<readonly StoredFile[]> {
  const listed = await vfs.list(resultsFolder)
  if (!listed.ok) return []
  return listed.value
    .filter(({ kind }) => kind === 'file')
    .map(({ name }) => ({ name, number: numberIn(name) }))
    .filter(({ number }) => number > 0)
    .toSorted((a, b) => a.number - b.number)
}

/** Writes the file and lets the oldest go. Gives its path, or the sentence that says why there is none. */
async function keep(vfs: Vfs, tool: string, result: JsonValue): Promise<{ whole: string | null; note: string }> {
  const { text, extension, of } = fileOf(result)
  if (!text.isWellFormed()) return { whole: null, note: 'it holds half of a surrogate pair' }
  const kept = await keptFiles(vfs)
  const number = (kept.at(-1)?.number ?? 0) + 1
  const path = `${resultsFolder}/${tool.replace(/[^\w-]/g, '_').slice(0, 64)}-${number}.${extension}`
  const written = await vfs.write(path, new TextEncoder().encode(text))
  if (!written.ok) return { whole: null, note: refusalText(written.error, 'en') }
  for (const { name } of kept.slice(0, Math.max(0, kept.length + 1 - maxStoredResults))) {
    await vfs.remove(`${resultsFolder}/${name}`)
  }
  return { whole: path, note: of }
}

async function withPatience<T>(work: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), patienceMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The result itself when it fits; else its head and tail with `whole`, the path of a file that holds all of it, and a
 * `note`. Never rejects: without room for the file, the note says so and the cut result stands alone.
 */
export async function capAndOffload(
  result: JsonValue,
  { vfs, tool, limit = maxResultCharacters }: { readonly vfs: Vfs; readonly tool: string; readonly limit?: number },
): Promise<JsonValue> {
  if (JSON.stringify(result).length <= limit) return result
  const cut = capResult(result, limit - noteRoom)
  // Calls that run side by side take their numbers one after the other.
  const work = inTurn(vfs, () => keep(vfs, tool, result)).catch((thrown: unknown) => ({
    whole: null,
    note: errorText(thrown),
  }))
  const { whole, note } = await withPatience(work, { whole: null, note: 'the files did not answer in time' })
  const parts = isJsonObject(cut) ? cut : { result: cut }
  const own = typeof parts['note'] === 'string' ? `${parts['note'].slice(0, 200)} ` : ''
  return whole === null
    ? { ...parts, note: `${own}Cut in the middle. The whole result could not be kept as a file: ${note.slice(0, 200)}` }
    : { ...parts, whole, note: `${own}Cut in the middle. The file holds ${note}; read_file pages through it.` }
}
