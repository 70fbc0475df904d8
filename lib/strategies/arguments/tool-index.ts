import type { Shape } from '../json-repair/json-reading'
import type { ToolSpec } from '../tool-context-def'
import { ARGUMENT_KEYS, CALL_KEYS } from './call-keys'
import { nearestNames } from './nearest'
import { riskOf } from './risk'
import { normaliseKey, shapeOf } from './schema'

const PREFIX = /^(?:functions|default_api|tools)[./:]/i

export interface ToolMatch {
  readonly spec: ToolSpec
  /** The name was not written exactly as registered. */
  readonly normalised: boolean
}

/** The known tools, prepared for matching. */
export interface ToolIndex {
  readonly specs: readonly ToolSpec[]
  /** Exact, else one unique match without prefix, case, `_` and `-`. `commands` also admits a tool's `vcpCommand`. */
  match(name: string, options?: { readonly commands?: boolean }): ToolMatch | null
  nearest(name: string): readonly string[]
  /** Anchors of a call object: its own keys, and below `arguments` the parameters of the tool that it names. */
  readonly callShape: Shape
}

export function createToolIndex(specs: readonly ToolSpec[]): ToolIndex {
  const exact = new Map<string, ToolSpec>()
  const commands = new Map<string, ToolSpec>()
  const loose = new Map<string, ToolSpec[]>()
  const addLoose = (name: string, spec: ToolSpec) => {
    const key = normaliseKey(name)
    const list = loose.get(key) ?? []
    if (!list.includes(spec)) list.push(spec)
    loose.set(key, list)
  }
  for (const spec of specs) {
    exact.set(spec.name, spec)
    addLoose(spec.name, spec)
    if (spec.vcpCommand !== undefined && !commands.has(spec.vcpCommand)) commands.set(spec.vcpCommand, spec)
  }

  const match: ToolIndex['match'] = (name, options) => {
    const known = exact.get(name) ?? (options?.commands ? commands.get(name) : undefined)
    if (known) return { spec: known, normalised: false }
    const trimmed = name.trim().replace(PREFIX, '')
    const found =
      exact.get(trimmed) ?? only(loose.get(normaliseKey(trimmed))) ?? only(loose.get(normaliseKey(half(trimmed))))
    return found ? { spec: found, normalised: true } : null
  }

  const parameters = new Map(specs.map((spec) => [spec.name, shapeOf([spec.parameters], [spec.parameters])]))
  const union = shapeOf(
    specs.map((spec) => spec.parameters),
    specs.map((spec) => spec.parameters),
  )
  const callShape: Shape = {
    has: (key) => CALL_KEYS.has(key) || (union?.has(key) ?? false),
    open: false,
    odd: union?.odd ?? [],
    child(key, name) {
      if (ARGUMENT_KEYS.includes(key) || key === 'action_input') {
        const tool = name === null ? null : match(name)
        return tool ? (parameters.get(tool.spec.name) ?? null) : union
      }
      const tool = match(key)
      return tool ? (parameters.get(tool.spec.name) ?? null) : callShape
    },
  }
  const candidates = specs.map((spec) => ({ name: spec.name, risky: spec.sensitive === true || riskOf(spec) === 2 }))
  return { specs, match, nearest: (name) => nearestNames(name, candidates), callShape }
}

const only = (list: readonly ToolSpec[] | undefined): ToolSpec | undefined => (list?.length === 1 ? list[0] : undefined)

/** `read_fileread_file` → `read_file`: some models stutter. */
const half = (name: string): string =>
  name.length % 2 === 0 && name.slice(0, name.length / 2) === name.slice(name.length / 2)
    ? name.slice(name.length / 2)
    : ''
