import { vendors, type VendorKind } from '@/lib/shared/models/vendors'

/*
 * Which models take pictures, by their names: no vendor's list says it in a form that all share. A name that is not known
 * here is sent none, and the model is told so, which is never wrong; the operator's `vision` goes first.
 */

const ollamaNames =
  /(?:^|\/)(?:llava|bakllava|moondream|minicpm-v|llama3\.2-vision|llama4|gemma3(?!:(?:1b|270m))|gemma[4-9]|qwen[\d.]*-?vl|mistral-small3\.[1-9]|granite[\d.]*-vision|.*vision)/i

/** Families of Ollama's listing that stand for an eye. */
const seeingFamilies = new Set(['clip', 'mllama'])

export const seesByName = (kind: VendorKind | 'ollama', name: string): boolean =>
  (kind === 'ollama' ? ollamaNames : vendors[kind].seesImages).test(name)

export const ollamaSees = (name: string, families: readonly string[]): boolean =>
  families.some((family) => seeingFamilies.has(family)) || seesByName('ollama', name)
