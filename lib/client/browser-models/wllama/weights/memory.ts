import { type GgufHead, readGgufHead, type GgufTrouble } from '../gguf/read-head'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'

/** As much as WebAssembly lets this llama.cpp have. */
export const PAGE_MEMORY_BYTES = 4 * 1024 ** 3
/** For what is computed, and llama.cpp itself. */
const BESIDES_BYTES = 256 * 1024 ** 2
/** For the keys and values of a chat; a longer one of a large model would take more than its weights. */
const MOST_CHAT_BYTES = 768 * 1024 ** 2
/** llama.cpp's own default for a model that does not say. */
const UNSAID_TOKENS = 4096
const LEAST_TOKENS = 512
const steps = [32_768, 16_384, 8192, 4096, 2048, 1024, LEAST_TOKENS]

/** Whatever its window: this many bytes of weights never fit. */
export const leastMemory = (fileBytes: number): number => fileBytes + BESIDES_BYTES

export interface MemoryPlan {
  readonly windowTokens: number
  /** About so much is taken once it is loaded and the window is full. */
  readonly bytes: number
}

/**
 * How long a chat a model is loaded for: as long as it was trained for, within the memory of a page.
 * @param wanted tokens; null: what suits
 */
export function planMemory(head: GgufHead, fileBytes: number, wanted: number | null): MemoryPlan {
  const perToken = head.bytesPerToken ?? 0
  const trained = head.trainedTokens ?? UNSAID_TOKENS
  const room = Math.min(MOST_CHAT_BYTES, PAGE_MEMORY_BYTES - BESIDES_BYTES - fileBytes)
  const fits = (tokens: number) => tokens <= trained && tokens * perToken <= room
  // A window that someone chose is theirs: whether it fits is said by the sum.
  const windowTokens = wanted ?? (fits(trained) && trained < 32_768 ? trained : (steps.find(fits) ?? LEAST_TOKENS))
  return { windowTokens: Math.min(windowTokens, trained), bytes: fileBytes + windowTokens * perToken + BESIDES_BYTES }
}

/** What writes no text: encoders, eyes, ears and adapters. */
const noWriters = /(?:^|-)(?:bert|clip|embed(?:ding)?|encoder|adapter|vocoder|wavtokenizer|whisper|t5encoder)(?:-|$)/

/** Whether a file is a model that llama.cpp can run here; the error says what it is in its place. */
export async function checkWeights(file: Blob, name: string): Promise<GgufHead | AppError> {
  const read = await readGgufHead(file)
  if (!read.ok) return troubleOf(read.trouble, file, name)
  const { head } = read
  if (head.parts > 1) return makeError('bad-request', 'wllama.in-parts', { name, parts: head.parts })
  if (head.tensors === 0 || noWriters.test(head.architecture)) {
    return makeError('bad-request', 'wllama.no-chat-model', { name, architecture: head.architecture.slice(0, 40) })
  }
  return head
}

async function troubleOf(trouble: GgufTrouble, file: Blob, name: string): Promise<AppError> {
  switch (trouble.kind) {
    case 'not-gguf':
      return notGguf(file, name)
    case 'version':
      return makeError('bad-request', 'wllama.version', { name, version: trouble.version })
    case 'truncated':
      return (trouble.bytes ?? 0) > file.size
        ? makeError('bad-request', 'wllama.truncated', { name, has: file.size, needs: trouble.bytes ?? 0 })
        : makeError('bad-request', 'wllama.truncated-early', { name })
    case 'damaged':
      return makeError('bad-request', 'wllama.damaged', { name })
  }
}

/** Of the beginning of a file that does not begin as a GGUF. */
export async function notGguf(start: Blob, name: string): Promise<AppError> {
  const isPage = /^\s*(?:<!doctype html|<html)/i.test(await start.slice(0, 200).text())
  return makeError('bad-request', 'wllama.not-gguf', { name, isPage })
}

/**
 * Looks at a file before it becomes a model: the window that it will be loaded with, tokens.
 * @throws {AppError} where it is no model that can run here
 */
export async function examineFile(file: File): Promise<{ readonly windowTokens: number }> {
  const { name } = file
  const head = await checkWeights(file, name)
  if (head instanceof AppError) throw head
  const { windowTokens, bytes } = planMemory(head, file.size, null)
  if (bytes > PAGE_MEMORY_BYTES) {
    throw makeError('too-large', 'wllama.too-large', { name, needs: bytes, most: PAGE_MEMORY_BYTES })
  }
  return { windowTokens }
}

/*
 * What llama.cpp's build needs of a browser. Asked by ourselves: the library asks a part of it, after it has said yes. The two
 * modules are those of wasm-feature-detect (Apache-2.0): one function with a vector in it, one with a `try`.
 */
const simd = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]
const exceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]

/** The part of the browser that is asked; tests stand in for it. */
export interface WasmPort {
  readonly WebAssembly?: Partial<Pick<typeof WebAssembly, 'validate' | 'Memory'>> & { readonly Suspending?: unknown }
}

/** What a browser may lack; the messages `wllama.…` say each. */
type Lacking = `wllama.no-${'webassembly' | 'simd' | 'exceptions' | 'jspi'}`

/** Why this browser can't run a model; null: it can. */
export function whyItCantRun({ WebAssembly: wasm }: WasmPort): Lacking | null {
  if (wasm?.validate === undefined) return 'wllama.no-webassembly'
  if (!wasm.validate(new Uint8Array(simd))) return 'wllama.no-simd'
  if (!wasm.validate(new Uint8Array(exceptions))) return 'wllama.no-exceptions'
  if (wasm.Suspending === undefined || !hasMemory64(wasm)) return 'wllama.no-jspi'
  return null
}

function hasMemory64({ Memory }: NonNullable<WasmPort['WebAssembly']>): boolean {
  if (Memory === undefined) return false
  try {
    void new Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor)
    return true
  } catch {
    return false
  }
}
