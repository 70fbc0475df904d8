import { z } from 'zod'
import {
  cleanPresetName,
  mostPresetNameChars,
  mostPresets,
  mostPromptChars,
  type PresetChange,
  type PresetToAdd,
  type ChatSetup,
} from '@/lib/shared/conversation/settings/preset'
import { setupSchema } from '@/lib/shared/conversation/settings/settings'
import { id } from './schemas'

const name = z
  .string()
  .max(mostPresetNameChars * 4)
  .transform(cleanPresetName)
  .refine((text) => text !== '', 'must not be empty')
/** Leaves room on both sides. */
const position = z.int().min(-1_000_000).max(1_000_000)

const prompt = z
  .string()
  .max(mostPromptChars)
  .refine((text) => text.trim() !== '', 'must not be empty')

export const presetToAddSchema: z.ZodType<PresetToAdd> = z
  .object({
    id,
    name,
    setup: z.nullable(setupSchema),
    prompt: prompt.exactOptional(),
    position: position.exactOptional(),
  })
  .refine((preset) => preset.setup !== null || preset.prompt !== undefined, 'must have a setup or a prompt')

export const presetChangeSchema: z.ZodType<PresetChange> = z
  .object({ name: name.exactOptional(), setup: z.exactOptional(setupSchema), prompt: prompt.exactOptional() })
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')

export const presetOrderSchema: z.ZodType<{ readonly order: readonly string[] }> = z.object({
  order: z.array(id).max(mostPresets, `must be at most ${mostPresets} presets`),
})

export const newChatsSchema: z.ZodType<{ readonly setup: ChatSetup | null }> = z.object({
  setup: z.nullable(setupSchema),
})
