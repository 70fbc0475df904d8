import { refusalText } from '@/lib/i18n/t'
import { errorText } from '@/lib/base/app-error'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { Vfs } from '@/lib/vfs/vfs'

/** By history: all views of the same files share it. */
const queues = new WeakMap<Vfs['history'], Promise<unknown>>()

/**
 * Runs `task` after every earlier task for the same files has ended, so that parallel calls never work on what another
 * one is about to change (read, then write; look, then move). Applies within this page; a failed task blocks none.
 */
export function inTurn<T>({ history }: Pick<Vfs, 'history'>, task: () => Promise<T>): Promise<T> {
  const turn = (queues.get(history) ?? Promise.resolve()).then(task, task)
  queues.set(
    history,
    turn.catch(() => {}),
  )
  return turn
}

/** The most characters of a result's JSON text. */
export const maxResultCharacters = 64_000

/** `text` with its middle left out, saying how much; at most about `limit` long. Never splits a surrogate pair. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, Math.ceil(limit * 0.7)).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(text.length - Math.floor(limit * 0.3)).replace(/^[\udc00-\udfff]/, '')
  const left = text.length - head.length - tail.length
  return `${head}\n… ${left} characters left out …\n${tail}`
}

function cutList(items: readonly JsonValue[], limit: number): readonly JsonValue[] {
  if (items.length <= limit) return items
  const tail = Math.floor(limit * 0.3)
  const head = limit - tail
  return [
    ...items.slice(0, head),
    `… ${items.length - head - tail} items left out …`,
    ...items.slice(items.length - tail),
  ]
}

/** Shortens every text and list in a value; keys and depth stay as they are. */
function shorten(value: JsonValue, texts: number, items: number): JsonValue {
  if (typeof value === 'string') return cutMiddle(value, texts)
  if (Array.isArray(value)) return cutList(value, items).map((item: JsonValue) => shorten(item, texts, items))
  if (!isJsonObject(value)) return value
  const short = Object.entries(value).map(([key, item]) => [key, shorten(item, texts, items)] as const)
  return Object.fromEntries(short)
}

/**
 * The value itself if its JSON text fits, else the longest texts and lists are cut in the middle until it does. A value
 * that stays too large (many keys) becomes its own JSON text, cut.
 */
export function capResult(value: JsonValue, limit = maxResultCharacters): JsonValue {
  const text = JSON.stringify(value)
  if (text.length <= limit) return value
  for (let share = 0.75; share > 0.01; share /= 2) {
    const short = shorten(value, Math.floor(limit * share), Math.max(4, Math.floor((limit * share) / 40)))
    if (JSON.stringify(short).length <= limit) return short
  }
  return {
    note: 'The result was too large. This is its JSON text, cut in the middle.',
    text: cutMiddle(text, limit / 2),
  }
}

/*
 * A result that is too large for the conversation is cut, and stored whole in its files, where `read_file` pages
 * through it:
 *
 *   {"content": "first … 90000 characters left out … last",
 *    "whole": "/.nod/results/read_file-3.txt", "note": "… read_file pages through it."}
 *
 * The number continues from the highest one in the folder, so only the folder stores it.
 */

export const resultsFolder = '/.nod/results'
/** How many of the newest are kept. */
export const maxStoredResults = 20
/** Space for `whole` and `note` beside the cut result. */
const noteRoom = 600
/** The longest wait for the files: a result must not wait for files that hang. */
const timeoutMs = 5_000

interface StoredFile {
  readonly name: string
  readonly number: number
}

/** The content of the file: text that is a whole result, or nearly all of one, stays text with its own lines. */
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

const numberIn = (name: string): number => Number(/-(\d{1,9})\.[a-z\d]{1,8}$/.exec(name)?.[1] ?? 0)

async function keptFiles(vfs: Vfs): Promise<readonly StoredFile[]> {
  const listed = await vfs.list(resultsFolder)
  if (!listed.ok) return []
  return listed.value
    .filter(({ kind }) => kind === 'file')
    .map(({ name }) => ({ name, number: numberIn(name) }))
    .filter(({ number }) => number > 0)
    .toSorted((a, b) => a.number - b.number)
}

/** Writes the file and deletes the oldest. Returns its path, or a sentence that says why there is none. */
async function keep(
  vfs: Vfs,
  tool: string,
  bytes: Uint8Array,
  extension: string,
): Promise<{ readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string }> {
  const kept = await keptFiles(vfs)
  const number = (kept.at(-1)?.number ?? 0) + 1
  const path = `${resultsFolder}/${tool.replace(/[^\w-]/g, '_').slice(0, 64)}-${number}.${extension}`
  const written = await vfs.write(path, bytes)
  if (!written.ok) return { ok: false, why: refusalText(written.error, 'en') }
  for (const { name } of kept.slice(0, Math.max(0, kept.length + 1 - maxStoredResults))) {
    await vfs.remove(`${resultsFolder}/${name}`)
  }
  return { ok: true, path }
}

async function keepWhole(vfs: Vfs, tool: string, result: JsonValue): Promise<{ whole: string | null; note: string }> {
  const { text, extension, of } = fileOf(result)
  if (!text.isWellFormed()) return { whole: null, note: 'it holds half of a surrogate pair' }
  const kept = await keep(vfs, tool, new TextEncoder().encode(text), extension)
  return kept.ok ? { whole: kept.path, note: of } : { whole: null, note: kept.why }
}

/** Throws on invalid base64. */
export const base64Bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** Stores bytes that came with a result, and returns for each the text for the model. Never rejects. */
export async function keepFiles(
  files: readonly { readonly mediaType: string; readonly bytes: Uint8Array; readonly from?: string }[],
  { vfs, tool }: { readonly vfs: Vfs; readonly tool: string },
): Promise<readonly JsonValue[]> {
  const shownItems: JsonValue[] = []
  for (const { mediaType, bytes, from } of files) {
    const about = { type: mediaType, bytes: bytes.length, ...(from !== undefined && { from }) }
    const late = { ok: false, why: 'the files did not answer in time' } as const
    const work = inTurn(vfs, () => keep(vfs, tool, bytes, extensionOf(mediaType))).catch(
      (thrown: unknown) => ({ ok: false, why: errorText(thrown) }) as const,
    )
    const kept = await withPatience(work, late)
    shownItems.push(kept.ok ? { path: kept.path, ...about } : { ...about, not_kept: kept.why.slice(0, 200) })
  }
  return shownItems
}

const extensions: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  'x-wav': 'wav',
  plain: 'txt',
  markdown: 'md',
}

/** `png` for `image/png`; `bin` if the type names none. */
function extensionOf(mediaType: string): string {
  const [, subtype = ''] = mediaType.split('/')
  const known = extensions[subtype] ?? subtype
  return /^[a-z\d]{1,8}$/.test(known) ? known : 'bin'
}

async function withPatience<T>(work: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The result itself if it fits; else its head and tail with `whole`, the path of a file that contains all of it, and a
 * `note`. Never rejects: if there is no space for the file, the note says so and only the cut result is returned.
 */
export async function capAndOffload(
  result: JsonValue,
  { vfs, tool, limit = maxResultCharacters }: { readonly vfs: Vfs; readonly tool: string; readonly limit?: number },
): Promise<JsonValue> {
  if (JSON.stringify(result).length <= limit) return result
  const cut = capResult(result, limit - noteRoom)
  // Parallel calls take their numbers one after the other.
  const work = inTurn(vfs, () => keepWhole(vfs, tool, result)).catch((thrown: unknown) => ({
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
