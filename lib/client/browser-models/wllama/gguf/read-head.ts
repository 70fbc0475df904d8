/** The file ended too early: it is shorter than its own head says. */
class EndOfFile extends Error {
  override readonly name = 'EndOfFile'
}

const SLICE_BYTES = 1024 * 1024

/** Reads a file from its beginning, slice by slice; earlier slices are freed. Numbers are little-endian. */
function createSliceReader(file: Blob) {
  let start = 0
  let view = new DataView(new ArrayBuffer(0))
  let at = 0

  async function need(bytes: number): Promise<void> {
    if (view.byteLength - at >= bytes) return
    start += at
    at = 0
    if (start + bytes > file.size) throw new EndOfFile(`wanted ${bytes} bytes at ${start} of ${file.size}`)
    view = new DataView(await file.slice(start, start + Math.max(bytes, SLICE_BYTES)).arrayBuffer())
  }

  const take = async <T>(bytes: number, read: (at: number) => T): Promise<T> => {
    await need(bytes)
    const value = read(at)
    at += bytes
    return value
  }

  return {
    /** How much of the file was read. */
    position: () => start + at,
    u8: () => take(1, (place) => view.getUint8(place)),
    u32: () => take(4, (place) => view.getUint32(place, true)),
    i32: () => take(4, (place) => view.getInt32(place, true)),
    f32: () => take(4, (place) => view.getFloat32(place, true)),
    /**
     * Beyond 2^53 a JavaScript number loses its last digits: no file is that long, and the check for its end notices.
     */
    u64: async () => Number(await take(8, (place) => view.getBigUint64(place, true))),
    text: (bytes: number) =>
      take(bytes, (place) => new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + place, bytes))),
    /** Continues after them without reading them. Throws EndOfFile if the file ends before. */
    async skip(bytes: number): Promise<void> {
      if (at + bytes <= view.byteLength) {
        at += bytes
        return
      }
      start += at + bytes
      at = 0
      view = new DataView(new ArrayBuffer(0))
      if (start > file.size) throw new EndOfFile(`skipped to ${start} of ${file.size}`)
    },
  }
}

type SliceReader = ReturnType<typeof createSliceReader>

/**
 * ggml's number types by their id: how many values one block holds, and its bytes. A type that is missing here is newer
 * than this list.
 */
const blocks: Readonly<Record<number, readonly [values: number, bytes: number]>> = {
  0: [1, 4], // F32
  1: [1, 2], // F16
  2: [32, 18], // Q4_0
  3: [32, 20], // Q4_1
  6: [32, 22], // Q5_0
  7: [32, 24], // Q5_1
  8: [32, 34], // Q8_0
  9: [32, 36], // Q8_1
  10: [256, 84], // Q2_K
  11: [256, 110], // Q3_K
  12: [256, 144], // Q4_K
  13: [256, 176], // Q5_K
  14: [256, 210], // Q6_K
  15: [256, 292], // Q8_K
  16: [256, 66], // IQ2_XXS
  17: [256, 74], // IQ2_XS
  18: [256, 98], // IQ3_XXS
  19: [256, 50], // IQ1_S
  20: [32, 18], // IQ4_NL
  21: [256, 110], // IQ3_S
  22: [256, 82], // IQ2_S
  23: [256, 136], // IQ4_XS
  24: [1, 1], // I8
  25: [1, 2], // I16
  26: [1, 4], // I32
  27: [1, 8], // I64
  28: [1, 8], // F64
  29: [256, 56], // IQ1_M
  30: [1, 2], // BF16
  34: [256, 54], // TQ1_0
  35: [256, 66], // TQ2_0
  39: [32, 17], // MXFP4
}

/** Bytes of a tensor; 0 if its type is unknown. */
function tensorBytes(type: number, values: number): number {
  const [perBlock, bytes] = blocks[type] ?? [1, 0]
  return Math.ceil(values / perBlock) * bytes
}

/*
 * The head of a GGUF file, the format of llama.cpp's weights (github.com/ggml-org/ggml/blob/master/docs/gguf.md):
 *   "GGUF" · u32 version · u64 tensors · u64 values · the values (name, type, value) · for each tensor its name, dimensions,
 *   type and offset · padding to the alignment · the tensors' data
 * For an invalid file, llama.cpp itself only says that it loaded nothing, after the whole download. Read here, the
 * first megabyte shows it, and the sizes of the tensors show how long the file must be.
 */

export interface GgufHead {
  /** `llama`, `qwen3`; '' if the file does not say. */
  readonly architecture: string
  /** The name its maker gave it; '' if the file does not say. */
  readonly name: string
  /** The context length that it was trained for; null if the file does not say. */
  readonly trainedTokens: number | null
  /** The memory of one token, keys and values of all layers as f16; null if the file does not say. */
  readonly bytesPerToken: number | null
  /** The number of files, if the model is split. */
  readonly parts: number
  readonly hasTemplate: boolean
  readonly tensors: number
  /** The least length of the whole file. */
  readonly bytes: number
}

export type GgufTrouble =
  /** It does not begin as a GGUF does. */
  | { readonly kind: 'not-gguf' }
  /** Another version, or from a machine with the other byte order. */
  | { readonly kind: 'version'; readonly version: number }
  /** It ends within its head, or before the last of its tensors; `bytes` is how long it must be, if known. */
  | { readonly kind: 'truncated'; readonly bytes: number | null }
  /** Its head is inconsistent. */
  | { readonly kind: 'damaged' }

export type GgufRead =
  | { readonly ok: true; readonly head: GgufHead }
  | { readonly ok: false; readonly trouble: GgufTrouble }

const MAGIC = 'GGUF'
/** Far above every existing model: a larger number is no valid head. */
const MOST_ENTRIES = 1_000_000
const MOST_TEXT_BYTES = 64 * 1024 * 1024
/** Bytes of the values of fixed size, by type. */
const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const TEXT = 8
const LIST = 9
const wanted =
  /^(?:general\.(?:architecture|name|alignment)|split\.count|tokenizer\.chat_template|[\w-]+\.(?:context_length|block_count|embedding_length|attention\.(?:head_count|head_count_kv|key_length|value_length)))$/

type Values = Map<string, string | number>

class Damaged extends Error {
  override readonly name = 'Damaged'
}

/**
 * Reads the head, slice by slice. `wholeBytes`: only the file's beginning is available, and the file has this many
 * bytes. Rejects only if the file can't be read.
 */
export async function readGgufHead(file: Blob, wholeBytes = file.size): Promise<GgufRead> {
  if (file.size < 4 || (await file.slice(0, 4).text()) !== MAGIC) return { ok: false, trouble: { kind: 'not-gguf' } }
  try {
    const reader = createSliceReader(file)
    await reader.skip(4)
    const version = await reader.u32()
    if (version !== 2 && version !== 3) return { ok: false, trouble: { kind: 'version', version } }
    const tensors = count(await reader.u64())
    const values = await readValues(reader, count(await reader.u64()))
    const bytes = await endOfTensors(reader, tensors, values)
    if (bytes > wholeBytes) return { ok: false, trouble: { kind: 'truncated', bytes } }
    return { ok: true, head: headOf(values, tensors, bytes) }
  } catch (error) {
    if (error instanceof EndOfFile) return { ok: false, trouble: { kind: 'truncated', bytes: null } }
    if (error instanceof Damaged) return { ok: false, trouble: { kind: 'damaged' } }
    throw error
  }
}

function count(entries: number): number {
  if (entries > MOST_ENTRIES) throw new Damaged(`${entries} entries`)
  return entries
}

async function readText(reader: SliceReader): Promise<string> {
  const bytes = await reader.u64()
  if (bytes > MOST_TEXT_BYTES) throw new Damaged(`a text of ${bytes} bytes`)
  return reader.text(bytes)
}

async function skipText(reader: SliceReader): Promise<void> {
  await reader.skip(await reader.u64())
}

async function readValues(reader: SliceReader, entries: number): Promise<Values> {
  const values: Values = new Map()
  for (let entry = 0; entry < entries; entry++) {
    const name = await readText(reader)
    const type = await reader.u32()
    if (type === TEXT && wanted.test(name)) values.set(name, await readText(reader))
    else if ((type === 4 || type === 5 || type === 10) && wanted.test(name)) {
      values.set(name, type === 10 ? await reader.u64() : await reader.u32())
    } else await skipValue(reader, type)
  }
  return values
}

async function skipValue(reader: SliceReader, type: number, depth = 0): Promise<void> {
  if (type === TEXT) return skipText(reader)
  if (type === LIST && depth < 4) {
    const inner = await reader.u32()
    const length = await reader.u64()
    const size = sizes[inner]
    if (size !== undefined) return reader.skip(size * length)
    // Each text of a list has at least its length field, so a list that claims too many ends with the file.
    for (let entry = 0; entry < length; entry++) await skipValue(reader, inner, depth + 1)
    return
  }
  const size = sizes[type]
  if (size === undefined) throw new Damaged(`a value of type ${type}`)
  return reader.skip(size)
}

/** Where the last tensor ends. */
async function endOfTensors(reader: SliceReader, tensors: number, values: Values): Promise<number> {
  let end = 0
  for (let tensor = 0; tensor < tensors; tensor++) {
    await skipText(reader)
    const dimensions = await reader.u32()
    if (dimensions > 8) throw new Damaged(`${dimensions} dimensions`)
    let amount = 1
    for (let dimension = 0; dimension < dimensions; dimension++) amount *= await reader.u64()
    const type = await reader.u32()
    end = Math.max(end, (await reader.u64()) + tensorBytes(type, amount))
  }
  const alignment = numberOf(values, 'general.alignment') ?? 32
  if (tensors === 0) return reader.position()
  return Math.ceil(reader.position() / alignment) * alignment + end
}

const textOf = (values: Values, name: string): string => {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

const numberOf = (values: Values, name: string): number | null => {
  const value = values.get(name)
  return typeof value === 'number' && value > 0 ? value : null
}

function headOf(values: Values, tensors: number, bytes: number): GgufHead {
  const architecture = textOf(values, 'general.architecture')
  return {
    architecture,
    name: textOf(values, 'general.name'),
    trainedTokens: numberOf(values, `${architecture}.context_length`),
    bytesPerToken: bytesPerToken(values, architecture),
    parts: numberOf(values, 'split.count') ?? 1,
    hasTemplate: values.has('tokenizer.chat_template'),
    tensors,
    bytes,
  }
}

function bytesPerToken(values: Values, architecture: string): number | null {
  const of = (name: string) => numberOf(values, `${architecture}.${name}`)
  const [layers, heads, width] = [of('block_count'), of('attention.head_count'), of('embedding_length')]
  if (layers === null || heads === null || width === null) return null
  const keys = of('attention.key_length') ?? width / heads
  const valuesLength = of('attention.value_length') ?? width / heads
  return 2 * layers * (of('attention.head_count_kv') ?? heads) * (keys + valuesLength)
}
