import { isRecord } from '@/lib/base/json'
import type { ToolAnswer } from '../sandbox'

/** A tool returned no value: the user denied it, it failed, or it is not available here. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** The value of an answer. Throws ToolError with the answer's error sentence. */
export function toolValue({ ok, text }: Omit<ToolAnswer, 'id'>): unknown {
  if (!ok) throw new ToolError(text)
  return JSON.parse(text) as unknown
}

/** The arguments as JSON text. Throws TypeError if they are not an object of JSON values. */
export function toolArguments(name: string, args: unknown = {}): string {
  if (!isRecord(args) || Array.isArray(args)) {
    throw new TypeError(`tools.${name} takes one object with named arguments: tools.${name}({ … }).`)
  }
  return JSON.stringify(args)
}

/** `tools` for code: one function for each name. Other names are undefined, so that code can test `tools.x`. */
export function createGuestTools(
  names: readonly string[],
  callTool: (name: string, args: string) => Promise<Omit<ToolAnswer, 'id'>>,
): Readonly<Record<string, (args?: unknown) => Promise<unknown>>> {
  const tools = Object.create(null) as Record<string, (args?: unknown) => Promise<unknown>>
  for (const name of names) {
    tools[name] = async (args) => toolValue(await callTool(name, toolArguments(name, args)))
  }
  return Object.freeze(tools)
}
