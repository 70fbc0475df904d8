import * as z from 'zod/mini'
import { cleanPresetName, isUnreadable, maxPresets, maxPromptChars, type Preset, type PresetContent } from './preset'
import {
  cleanProjectName,
  maxInstructionChars,
  maxMemoryChars,
  maxProjectNameChars,
  type ProjectContent,
  type ProjectToAdd,
} from './project'
import { setupSchema } from './settings'

/**
 * `{ "nod": "presets", "version": 1, "presets": [{ "name": …, "setup": …, "prompt": … }] }`; one of the last two may be
 * left out.
 */
interface PresetFile {
  readonly nod: 'presets'
  readonly version: 1
  readonly presets: readonly (Pick<Preset, 'name' | 'prompt'> & { readonly setup?: Preset['setup'] })[]
}

export interface ReadPreset extends PresetContent {
  readonly name: string
}

/** A file of presets as text; unreadable ones are left out. */
export function writePresetFile(presets: readonly Pick<Preset, 'name' | 'setup' | 'prompt'>[]): string {
  const written = presets.flatMap((preset) => {
    const { name, setup, prompt } = preset
    return isUnreadable(preset) ? [] : [{ name, ...(setup && { setup }), ...(prompt !== undefined && { prompt }) }]
  })
  return `${JSON.stringify({ nod: 'presets', version: 1, presets: written } satisfies PresetFile, null, 2)}\n`
}

/** More than any file that we write. */
export const maxPresetFileBytes = 8_000_000

const presetFileSchema = z.object({
  nod: z.literal('presets'),
  version: z.literal(1),
  presets: z.array(z.unknown()).check(z.maxLength(maxPresets)),
})
const presetSchema = z.object({
  name: z.string().check(z.maxLength(1_000)),
  setup: z.exactOptional(z.nullable(setupSchema)),
  prompt: z.exactOptional(z.string().check(z.maxLength(maxPromptChars))),
})

export interface ReadPresetFile {
  readonly presets: readonly ReadPreset[]
  /** The number of invalid entries. */
  readonly unreadable: number
  /** Fields of presets that this version does not know and therefore drops. */
  readonly unknown: readonly string[]
}

/** A sentence can't usefully contain more names. */
const maxUnknown = 20
const maxNameChars = 60

/** `color`, `setup.voice`: fields beside those that were read. */
function unknownIn(value: unknown, read: object, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (!Object.hasOwn(read, name)) return [`${path}${name}`.slice(0, maxNameChars)]
    const known = read[name as keyof typeof read] as unknown
    return path === '' && name === 'setup' && typeof known === 'object' && known !== null
      ? unknownIn(member, known, 'setup.')
      : []
  })
}

/** Null: the text is no file of presets, or one of a newer Nod. Its author chose all of its content. */
export function readPresetFile(text: string): ReadPresetFile | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const file = presetFileSchema.safeParse(value)
  if (!file.success) return null
  const unknown = new Set<string>()
  const presets = file.data.presets.flatMap((one) => {
    const read = presetSchema.safeParse(one)
    if (!read.success) return []
    const { setup = null, prompt } = read.data
    const name = cleanPresetName(read.data.name)
    const preset: ReadPreset = { name, setup, ...(prompt !== undefined && prompt.trim() !== '' && { prompt }) }
    if (name === '' || isUnreadable(preset)) return []
    for (const field of unknownIn(one, read.data)) unknown.add(field)
    return [preset]
  })
  const left = file.data.presets.length - presets.length
  return { presets, unreadable: left, unknown: [...unknown].slice(0, maxUnknown) }
}

/** `{ "nod": "project", "version": 1, "name": …, "instructions": …, "setup": …, "memory": … }`. */
export const writeProjectFile = ({ name, instructions, setup }: ProjectContent, memory: string): string =>
  `${JSON.stringify({ nod: 'project', version: 1, name, instructions, setup, memory }, null, 2)}\n`

/** More than any file that we write. */
export const maxProjectFileBytes = 500_000

const projectFileSchema = z.object({
  nod: z.literal('project'),
  version: z.literal(1),
  name: z.string().check(z.maxLength(maxProjectNameChars * 4)),
  instructions: z.string().check(z.maxLength(maxInstructionChars)),
  setup: z.nullable(setupSchema),
  memory: z.string().check(z.maxLength(maxMemoryChars)),
})

/** Null: the text is no file of a project, or one of a newer Nod. */
export function readProjectFile(text: string): Omit<ProjectToAdd, 'id'> | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const file = projectFileSchema.safeParse(value)
  if (!file.success) return null
  const { instructions, setup, memory } = file.data
  const name = cleanProjectName(file.data.name)
  return name === '' ? null : { name, instructions, setup, memory }
}
