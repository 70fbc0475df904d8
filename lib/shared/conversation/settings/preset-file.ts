import * as z from 'zod/mini'
import { cleanPresetName, mostPresets, type Preset, type ChatSetup } from './preset'
import { setupSchema } from './settings'

/** `{ "nod": "presets", "version": 1, "presets": [{ "name": …, "setup": … }] }` */
interface PresetFile {
  readonly nod: 'presets'
  readonly version: 1
  readonly presets: readonly ReadPreset[]
}

export interface ReadPreset {
  readonly name: string
  readonly setup: ChatSetup
}

/** A file of presets as text; those that can't be read are left out. */
export function writePresetFile(presets: readonly Pick<Preset, 'name' | 'setup'>[]): string {
  const written = presets.flatMap(({ name, setup }) => (setup ? [{ name, setup }] : []))
  return `${JSON.stringify({ nod: 'presets', version: 1, presets: written } satisfies PresetFile, null, 2)}\n`
}

/** More than any file that we write. */
export const maxPresetFileBytes = 8_000_000

const fileSchema = z.object({
  nod: z.literal('presets'),
  version: z.literal(1),
  presets: z.array(z.unknown()).check(z.maxLength(mostPresets)),
})
const presetSchema = z.object({ name: z.string().check(z.maxLength(1_000)), setup: setupSchema })

export interface ReadPresetFile {
  readonly presets: readonly ReadPreset[]
  /** Entries of the file that are no preset. */
  readonly unreadable: number
}

/** Null: the text is no file of presets, or one of a newer Nod. Whoever made it chose all that is in it. */
export function readPresetFile(text: string): ReadPresetFile | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const file = fileSchema.safeParse(value)
  if (!file.success) return null
  const presets = file.data.presets.flatMap((one) => {
    const read = presetSchema.safeParse(one)
    const name = read.success ? cleanPresetName(read.data.name) : ''
    return read.success && name !== '' ? [{ name, setup: read.data.setup }] : []
  })
  return { presets, unreadable: file.data.presets.length - presets.length }
}
