import type { ToolContextDef } from '@/lib/protocols/types/tool-context-def'
import { HUGE, SIZES, tools } from './inputs'
import type { Input } from './inputs'

export const CHUNK = 4
/** Chunks between two reads; the product's streaming view reads about every 50 ms. */
export const LOOK_EVERY = 512
/** A model at 320 tokens per second, four characters each, read every 50 ms. */
export const LOOK_OFTEN = 16
/** Below 2 ns per character, memory caches dominate the time, so growth is measured from there on. */
const FLOOR_MS_PER_UNIT = 2e-6
/** Shorter tasks are repeated until they take this long, so that the clock can measure them. */
const MIN_SAMPLE_MS = 4

/** A longer run is sampled twice, one above four times this once, because noise matters less for long runs. */
const LONG_MS = 150

/** The smaller of two, because disturbances only make a run longer. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN

/** CPU milliseconds of this thread: unlike wall time, it excludes the machine's other work. */
export function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of one run of `task`. */
function time(task: () => void): number {
  let runs = 0
  const started = worked()
  let passed = 0
  do {
    task()
    runs++
    passed = worked() - started
  } while (passed < MIN_SAMPLE_MS)
  return passed / runs
}

export function cut(text: string, size: number): readonly string[] {
  const pieces: string[] = []
  for (let i = 0; i < text.length; i += size) pieces.push(text.slice(i, i + size))
  return pieces
}

function readDecimal(def: ToolContextDef, text: string): void {
  const scanner = def.createScanner(tools)
  scanner.push(text)
  scanner.end()
}

function readChunks(def: ToolContextDef, pieces: readonly string[], lookEvery: number): void {
  const scanner = def.createScanner(tools)
  let n = 0
  for (const piece of pieces) {
    scanner.push(piece)
    if (++n % lookEvery === 0) scanner.preview()
  }
  scanner.end()
}

/** The cost of receiving the pieces without parsing: joining them into one string at every read. */
function handOver(pieces: readonly string[], lookEvery: number): number {
  let sum = 0
  let fresh = ''
  let n = 0
  for (const piece of pieces) {
    fresh += piece
    if (++n % lookEvery > 0) continue
    sum += fresh.charCodeAt(fresh.length >> 1)
    fresh = ''
  }
  return sum + fresh.length
}

/** Medians in milliseconds, one per size; of 1 MB if there is only one number. */
export interface Row {
  readonly whole: readonly number[]
  readonly chunked: readonly number[]
  readonly handOver: number
  /** 1 MB in chunks, read 32 times as often. */
  readonly often: number
  /** JSON.parse of the body, if the row is compared with it. */
  readonly json: number | null
}

/** One input at all sizes: every kind of run in every round, so that a busy moment affects all alike. */
export function measureRow(def: ToolContextDef, input: Input, sizes: readonly number[], rounds: number): Row {
  const texts = sizes.map(input.text)
  const pieces = texts.map((text) => cut(text, CHUNK))
  const middle = pieces[1] ?? []
  const body = input.name === HUGE ? input.body?.(SIZES[1]) : undefined
  const samples = new Map<string, number[]>()
  const sample = (name: string, task: () => void) => {
    const known = samples.get(name) ?? []
    const [first = 0] = known
    const wanted = first > 4 * LONG_MS ? 1 : first > LONG_MS ? 2 : rounds
    if (known.length < wanted) samples.set(name, [...known, time(task)])
  }
  warmUp(def, texts[0] ?? '')
  for (let round = 0; round < rounds; round++) {
    for (const [i, text] of texts.entries()) {
      sample(`whole ${i}`, () => readDecimal(def, text))
      sample(`chunked ${i}`, () => readChunks(def, pieces[i] ?? [], LOOK_EVERY))
      if (i !== 1) continue
      sample('hand over', () => void handOver(middle, LOOK_EVERY))
      if (body !== undefined) sample('json', () => void JSON.parse(body))
      if (round === 0) sample('often', () => readChunks(def, middle, LOOK_OFTEN))
    }
  }
  const of = (name: string) => median(samples.get(name) ?? [])
  return {
    whole: sizes.map((_, i) => of(`whole ${i}`)),
    chunked: sizes.map((_, i) => of(`chunked ${i}`)),
    handOver: of('hand over'),
    often: of('often'),
    json: body === undefined ? null : of('json'),
  }
}

/** Runs until the compiler has optimized for this input. */
function warmUp(def: ToolContextDef, text: string): void {
  const pieces = cut(text, CHUNK)
  const started = worked()
  for (let n = 0; n < 20 && (n < 3 || worked() - started < 150); n++) {
    readDecimal(def, text)
    readChunks(def, pieces, LOOK_EVERY)
  }
}

/** Time per ×10 of text between the first and the last size; linear is 10. */
export function growthOf(times: readonly number[], sizes: readonly number[]): number {
  const last = times.length - 1
  const held = times.map((value, i) => Math.max(value, FLOOR_MS_PER_UNIT * (sizes[i] ?? 0)))
  const [from = 1, to = 1] = [held[0], held[last]]
  return 10 ** (Math.log10(to / from) / Math.log10((sizes[last] ?? 1) / (sizes[0] ?? 1)))
}

export interface Verdict {
  readonly growthWhole: number
  readonly growthChunked: number
  /** 1 MB in chunks compared with 1 MB whole, as measured. */
  readonly chunkedToWhole: number
  /** The same compared with the whole or the handover alone, whichever takes longer. */
  readonly chunkedHeld: number
  readonly wholeToJson: number | null
  readonly failures: readonly string[]
}

export const MAX_GROWTH = 12
export const MAX_CHUNKED = 10
export const MAX_JSON = 4

export function judge(row: Row, sizes: readonly number[]): Verdict {
  const growthWhole = growthOf(row.whole, sizes)
  const growthChunked = growthOf(row.chunked, sizes)
  const [whole = 1, chunked = 1] = [row.whole[1], row.chunked[1]]
  const chunkedHeld = chunked / Math.max(whole, row.handOver)
  const wholeToJson = row.json === null ? null : whole / row.json
  const failures = [
    growthWhole > MAX_GROWTH ? 'whole grows' : '',
    growthChunked > MAX_GROWTH ? 'chunked grows' : '',
    chunkedHeld >= MAX_CHUNKED ? 'chunks' : '',
    wholeToJson !== null && wholeToJson > MAX_JSON ? 'slower than JSON.parse' : '',
  ].filter((one) => one !== '')
  return { growthWhole, growthChunked, chunkedToWhole: chunked / whole, chunkedHeld, wholeToJson, failures }
}
