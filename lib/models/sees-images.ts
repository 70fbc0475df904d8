import type { ProviderConfig } from './provider-config'

/*
 * Which models take pictures, by their names: no vendor's list says it in a form that all share. A name that is not known
 * here is sent none, and the model is told so, which is never wrong; the operator's `vision` goes first.
 */

const names: Record<Exclude<ProviderConfig['kind'], 'openai-compatible'>, RegExp> = {
  // All but the text-only ones since 4o; "gpt-4-turbo" and "o1" see, "o1-mini", "o3-mini" and "gpt-4" don't.
  openai:
    /^(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-4-turbo|gpt-[5-9]|o1(?!-mini|-preview)|o3(?!-mini)|o[4-9])(?!.*(?:audio|tts|transcribe|realtime))/i,
  anthropic: /^claude-(?:3(?!-5-haiku-20241022)|[a-z]+-[4-9]|[4-9])/i,
  google: /^(?:gemini|gemma-[3-9])/i,
  ollama:
    /(?:^|\/)(?:llava|bakllava|moondream|minicpm-v|llama3\.2-vision|llama4|gemma3(?!:(?:1b|270m))|gemma[4-9]|qwen[\d.]*-?vl|mistral-small3\.[1-9]|granite[\d.]*-vision|.*vision)/i,
}

/** Families of Ollama's listing that stand for an eye. */
const seeingFamilies = new Set(['clip', 'mllama'])

export const seesByName = (kind: keyof typeof names, name: string): boolean => names[kind].test(name)

export const ollamaSees = (name: string, families: readonly string[]): boolean =>
  families.some((family) => seeingFamilies.has(family)) || seesByName('ollama', name)
