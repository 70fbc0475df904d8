/*
 * Writes a model of the llama architecture with random weights, as GGUF. It writes random text. Only tests and
 * benchmarks use it, where a model must load, stream, stop and follow a grammar, or take the time that its size takes.
 */

/** ggml's number types that it writes, by id. */
export const weightTypes = { F32: 0, Q4_0: 2, Q8_0: 8 } as const

export type WeightType = (typeof weightTypes)[keyof typeof weightTypes]

export interface ModelShape {
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly keyHeads: number
  /** Left out: the width divided by the heads. */
  readonly headWidth?: number
  readonly feedForward: number
  readonly type: WeightType
  /** Tokens are written with the same weights that they are read with, which makes the files smaller. */
  readonly tied: boolean
  /** The number of tokens; at least every byte, every ASCII letter, and the words. */
  readonly vocabulary?: number
  readonly trainedTokens: number
  readonly seed: number
  /** Whole words that are tokens, such as the beginnings of a strategy’s calls. */
  readonly words?: readonly string[]
  /**
   * How much likelier than letters these are, in logits; only if the type is F32 and the model is not tied. With bytes
   * below −3 it writes text; at 0 it soon writes invalid UTF-8.
   */
  readonly bias?: { readonly bytes: number; readonly end: number; readonly words: number }
}

/** 487 kB in 25 ms: writes ASCII text, now and then with one of the words, without end unless `end` says otherwise. */
export const tinyShape: ModelShape = {
  width: 64,
  layers: 2,
  heads: 4,
  keyHeads: 2,
  feedForward: 128,
  type: weightTypes.F32,
  tied: false,
  trainedTokens: 4096,
  seed: 1,
  bias: { bytes: -4, end: -4, words: 0.8 },
}

const BYTES = 256
const FIRST_BYTE = 3
const FIRST_LETTER = FIRST_BYTE + BYTES
const FIRST_WORD = FIRST_LETTER + 95
const END = 2

/** A generator of numbers from 0 to 1: the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** How SentencePiece writes a space. */
const piece = (word: string): string => word.replaceAll(' ', '\u2581')

function vocabularyOf({ vocabulary = 0, words = [] }: ModelShape): { tokens: string[]; types: number[] } {
  const tokens = ['<unk>', '<s>', '</s>']
  // 1 a word, 2 unknown, 3 control, 6 a byte.
  const types = [2, 3, 3]
  const add = (token: string, type: number) => void (tokens.push(token), types.push(type))
  for (let byte = 0; byte < BYTES; byte++) add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 6)
  for (let code = 32; code < 127; code++) add(piece(String.fromCharCode(code)), 1)
  for (const word of words) add(piece(word), 1)
  for (let filler = 0; tokens.length < vocabulary; filler++) add(`\u2581${filler.toString(26)}q${filler % 7}`, 1)
  return { tokens, types }
}

/** Appends bytes one after the other. */
function createBytes() {
  const parts: Uint8Array[] = []
  let length = 0
  const raw = (bytes: Uint8Array) => {
    parts.push(bytes)
    length += bytes.length
  }
  const number = (bytes: number, set: (view: DataView) => void) => {
    const view = new DataView(new ArrayBuffer(bytes))
    set(view)
    raw(new Uint8Array(view.buffer))
  }
  const u32 = (value: number) => number(4, (view) => view.setUint32(0, value, true))
  const i32 = (value: number) => number(4, (view) => view.setInt32(0, value, true))
  const u64 = (value: number) => number(8, (view) => view.setBigUint64(0, BigInt(value), true))
  const f32 = (value: number) => number(4, (view) => view.setFloat32(0, value, true))
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value)
    u64(bytes.length)
    raw(bytes)
  }
  return { raw, u32, i32, u64, f32, text, length: () => length, parts }
}

type Bytes = ReturnType<typeof createBytes>

interface Tensor {
  readonly name: string
  readonly columns: number
  readonly rows: number
  readonly type: WeightType
}

function tensorsOf(shape: ModelShape, tokens: number): readonly Tensor[] {
  const { width, layers, heads, keyHeads, headWidth = width / heads, feedForward, type, tied } = shape
  const matrix = (name: string, columns: number, rows: number): Tensor => ({
    name: `${name}.weight`,
    columns,
    rows,
    type,
  })
  const norm = (name: string): Tensor => ({ name: `${name}.weight`, columns: width, rows: 1, type: weightTypes.F32 })
  const block = (at: number) => [
    norm(`blk.${at}.attn_norm`),
    norm(`blk.${at}.ffn_norm`),
    matrix(`blk.${at}.attn_q`, width, heads * headWidth),
    matrix(`blk.${at}.attn_k`, width, keyHeads * headWidth),
    matrix(`blk.${at}.attn_v`, width, keyHeads * headWidth),
    matrix(`blk.${at}.attn_output`, heads * headWidth, width),
    matrix(`blk.${at}.ffn_gate`, width, feedForward),
    matrix(`blk.${at}.ffn_up`, width, feedForward),
    matrix(`blk.${at}.ffn_down`, feedForward, width),
  ]
  return [
    matrix('token_embd', width, tokens),
    ...(tied ? [] : [matrix('output', width, tokens)]),
    norm('output_norm'),
    ...Array.from({ length: layers }, (_, at) => block(at)).flat(),
  ]
}

const blockOf = { [weightTypes.F32]: [1, 4], [weightTypes.Q4_0]: [32, 18], [weightTypes.Q8_0]: [32, 34] } as const

const bytesOf = ({ columns, rows, type }: Tensor): number => {
  const [values, bytes] = blockOf[type]
  return ((columns * rows) / values) * bytes
}

const padded = (bytes: number): number => Math.ceil(bytes / 32) * 32

const template =
  "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"

function writeValues(out: Bytes, shape: ModelShape): number {
  const { width, layers, heads, keyHeads, headWidth = width / heads, feedForward, trainedTokens } = shape
  const { tokens, types } = vocabularyOf(shape)
  const U32 = 4
  const values = createBytes()
  let entries = 0
  const one = (name: string, type: number, write: () => void) => {
    values.text(name)
    values.u32(type)
    write()
    entries++
  }
  const whole = (name: string, value: number) => one(name, U32, () => values.u32(value))
  const words = (name: string, value: string) => one(name, 8, () => values.text(value))
  const flag = (name: string, value: boolean) => one(name, 7, () => values.raw(Uint8Array.of(value ? 1 : 0)))
  const list = <T>(name: string, type: number, items: readonly T[], write: (item: T) => void) =>
    one(name, 9, () => {
      values.u32(type)
      values.u64(items.length)
      for (const item of items) write(item)
    })
  words('general.architecture', 'llama')
  words('general.name', 'random weights')
  whole('llama.context_length', trainedTokens)
  whole('llama.embedding_length', width)
  whole('llama.block_count', layers)
  whole('llama.feed_forward_length', feedForward)
  whole('llama.attention.head_count', heads)
  whole('llama.attention.head_count_kv', keyHeads)
  one('llama.attention.layer_norm_rms_epsilon', 6, () => values.f32(1e-5))
  whole('llama.rope.dimension_count', headWidth)
  whole('llama.attention.key_length', headWidth)
  whole('llama.attention.value_length', headWidth)
  whole('llama.vocab_size', tokens.length)
  words('tokenizer.ggml.model', 'llama')
  words('tokenizer.ggml.pre', 'default')
  list('tokenizer.ggml.tokens', 8, tokens, values.text)
  list(
    'tokenizer.ggml.scores',
    6,
    tokens.map((_, at) => -at),
    values.f32,
  )
  list('tokenizer.ggml.token_type', 5, types, values.i32)
  whole('tokenizer.ggml.bos_token_id', 1)
  whole('tokenizer.ggml.eos_token_id', END)
  whole('tokenizer.ggml.unknown_token_id', 0)
  flag('tokenizer.ggml.add_bos_token', true)
  flag('tokenizer.ggml.add_space_prefix', false)
  words('tokenizer.chat_template', template)
  out.u64(entries)
  for (const part of values.parts) out.raw(part)
  return tokens.length
}

/** Yields the file in parts: its head, then each tensor. */
export function* writeGguf(shape: ModelShape): Generator<Uint8Array<ArrayBuffer>> {
  const tensors = tensorsOf(shape, vocabularyOf(shape).tokens.length)
  const head = createBytes()
  head.raw(new TextEncoder().encode('GGUF'))
  head.u32(3)
  head.u64(tensors.length)
  writeValues(head, shape)
  let offset = 0
  for (const tensor of tensors) {
    head.text(tensor.name)
    const dimensions = tensor.rows === 1 ? [tensor.columns] : [tensor.columns, tensor.rows]
    head.u32(dimensions.length)
    for (const dimension of dimensions) head.u64(dimension)
    head.u32(tensor.type)
    head.u64(offset)
    offset += padded(bytesOf(tensor))
  }
  head.raw(new Uint8Array(padded(head.length()) - head.length()))
  yield joined(head.parts)
  const random = randomOf(shape.seed)
  for (const tensor of tensors) yield weightsOf(tensor, shape, random)
}

/** The whole file at once; for small ones. */
export const ggufBytes = (shape: ModelShape): Uint8Array<ArrayBuffer> => joined([...writeGguf(shape)])

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function weightsOf(tensor: Tensor, shape: ModelShape, random: () => number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(padded(bytesOf(tensor)))
  const view = new DataView(bytes.buffer)
  const values = tensor.columns * tensor.rows
  const spread = 1 / Math.sqrt(tensor.columns)
  if (tensor.rows === 1) {
    for (let at = 0; at < values; at++) view.setFloat32(at * 4, 1, true)
  } else if (tensor.type === weightTypes.F32) {
    for (let at = 0; at < values; at++) {
      const column = at % tensor.columns
      const own = column === 0 ? biasOf(tensor.name, Math.floor(at / tensor.columns), shape) : null
      view.setFloat32(at * 4, own ?? (random() * 2 - 1) * 1.7 * spread, true)
    }
  } else {
    fillWithNoise(bytes, (random() * 2 ** 32) | 1)
    const isBytes = tensor.type === weightTypes.Q8_0
    const scale = halfFloat(isBytes ? spread / 74 : spread / 4.6)
    const [, block] = blockOf[tensor.type]
    for (let at = 0; at + block <= bytesOf(tensor); at += block) view.setUint16(at, scale, true)
  }
  return bytes
}

/**
 * The first column is the same for every token that is read: in the output weights, its row there sets the token's
 * probability, independent of the input.
 */
function biasOf(name: string, row: number, { bias }: ModelShape): number | null {
  if (bias === undefined) return null
  if (name === 'token_embd.weight') return 4
  if (name !== 'output.weight') return null
  if (row === END) return bias.end
  if (row < FIRST_LETTER) return bias.bytes
  return row < FIRST_WORD ? 0 : bias.words
}

/** Random numbers, four bytes at a time (xorshift): half a gigabyte takes a second. */
function fillWithNoise(bytes: Uint8Array<ArrayBuffer>, seed: number): void {
  const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2)
  let state = seed
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[at] = state
  }
}

/** A small positive number as f16. */
function halfFloat(value: number): number {
  const [bits = 0] = new Uint32Array(Float32Array.of(value).buffer)
  const exponent = ((bits >> 23) & 255) - 112
  return exponent <= 0 ? 0 : (exponent << 10) | ((bits >> 13) & 0x3ff)
}
