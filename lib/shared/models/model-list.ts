import { isRecord } from '@/lib/base/json'

type Shape = Readonly<Record<string, unknown>>

/** A model in a server’s list. */
export interface ListedModel {
  readonly name: string
  /** Its context window in tokens; null: the list does not say. */
  readonly contextTokens: number | null
  readonly entry: Shape
}

const MAX_NAME_CHARS = 300

/** The fields for a model's name: OpenAI’s list, Ollama’s, others. */
const names = ['id', 'name', 'model', 'slug', 'key'] as const

/**
 * The fields for a context window: vLLM and SGLang, OpenRouter and Together, Groq, Mistral and LM Studio, llama.cpp.
 */
const windows = ['max_model_len', 'context_length', 'context_window', 'max_context_length', 'n_ctx'] as const

/**
 * Reads the models of a server’s response, entry by entry: invalid entries are left out without affecting the others,
 * each name counts once, and models that the list itself marks as no chat models are left out. Null: the response is no
 * list.
 */
export function readModelList(answer: unknown): readonly ListedModel[] | null {
  const list = listIn(answer)
  if (!list) return null
  const models = new Map<string, ListedModel>()
  for (const one of list) {
    const entry = isRecord(one) ? one : { id: one }
    const name = nameOf(entry)
    if (name === null || models.has(name) || !canChat(entry)) continue
    models.set(name, { name, contextTokens: windowOf(entry), entry })
  }
  return [...models.values()]
}

/** The fields for the list: OpenAI’s, Ollama’s, others. */
const lists = ['data', 'models', 'result', 'items', 'list', 'available_models', 'model_list'] as const

/** `{"data":[…]}`, `{"models":[…]}`, a bare list; a server without models may return null. */
function listIn(answer: unknown): readonly unknown[] | null {
  if (Array.isArray(answer)) return answer
  if (!isRecord(answer)) return null
  const inner = lists.map((key) => answer[key]).find((value) => value !== undefined && value !== null)
  if (inner === undefined) return 'data' in answer || 'models' in answer ? [] : null
  return Array.isArray(inner) ? inner : isRecord(inner) ? (listIn(inner) ?? entriesIn(inner)) : null
}

/** Entries by their names: `{"models":{"m":{…}}}`. */
function entriesIn(map: Shape): readonly unknown[] | null {
  const entries = Object.entries(map)
  return entries.every(([, entry]) => isRecord(entry))
    ? entries.map(([id, entry]) => ({ id, ...(entry as Shape) }))
    : null
}

function nameOf(entry: Shape): string | null {
  const found = names.map((key) => entry[key]).find((value) => value !== undefined && value !== null && value !== '')
  const name = typeof found === 'number' ? String(found) : found
  return typeof name === 'string' && name.length <= MAX_NAME_CHARS ? name : null
}

function windowOf(entry: Shape): number | null {
  const places = [entry, entry['meta'], entry['top_provider'], entry['model_info']].filter(isRecord)
  for (const place of places) {
    for (const key of windows) {
      const value = typeof place[key] === 'string' ? Number(place[key]) : place[key]
      if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
    }
  }
  return null
}

const otherKind =
  /embed|rerank|moderation|speech|audio|transcri|whisper|\btts\b|\bstt\b|\basr\b|^(?:(?:text|image)-to-)?(?:image|video)s?(?:[-_]generation)?$|diffusion|feature-extraction|sentence-similarity|classification/i

/**
 * Together (`type`), LM Studio (`type`), Hugging Face (`pipeline_tag`), Ollama and Mistral (`capabilities`), OpenRouter
 * (`architecture`).
 */
function canChat(entry: Shape): boolean {
  const kinds = [entry['type'], entry['model_type'], entry['task'], entry['pipeline_tag'], entry['kind']]
  if (kinds.some((kind) => typeof kind === 'string' && otherKind.test(kind))) return false
  const { capabilities, architecture } = entry
  if (isRecord(capabilities) && capabilities['completion_chat'] === false) return false
  if (
    Array.isArray(capabilities) &&
    capabilities.length > 0 &&
    capabilities.every((one) => otherKind.test(String(one)))
  )
    return false
  const written = isRecord(architecture) ? architecture['output_modalities'] : undefined
  return !Array.isArray(written) || written.length === 0 || written.includes('text')
}

/** Endpoints that users copy with an address: vendors often show the whole URL. */
const endpoint =
  /\/+(?:chat\/+completions|completions|responses|embeddings|models|messages|api\/+(?:tags|chat|generate))$/i

/** The path of an address without the endpoint and trailing slashes; `isCut`: it contained an endpoint. */
export function withoutEndpoint(pathname: string): { readonly path: string; readonly isCut: boolean } {
  const whole = pathname.replace(/\/+$/, '')
  const path = whole.replace(endpoint, '').replace(/\/+$/, '')
  return { path, isCut: path !== whole }
}
