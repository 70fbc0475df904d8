import {
  cleanPresetName,
  maxPresetNameChars,
  maxPresets,
  maxPromptChars,
  type PresetChange,
  type PresetToAdd,
  type ChatSetup,
} from '@/lib/shared/conversation/settings/preset'
import { z } from 'zod'
import {
  cleanProjectName,
  maxInstructionChars,
  maxMemoryChars,
  maxProjectNameChars,
  type MemoryChange,
  type ProjectChange,
  type ProjectToAdd,
} from '@/lib/shared/conversation/settings/project'
import { setupSchema } from '@/lib/shared/conversation/settings/settings'
import { id } from './schemas'

const presetName = z
  .string()
  .max(maxPresetNameChars * 4)
  .transform(cleanPresetName)
  .refine((text) => text !== '', 'must not be empty')
/** Leaves room on both sides. */
const position = z.int().min(-1_000_000).max(1_000_000)

const prompt = z
  .string()
  .max(maxPromptChars)
  .refine((text) => text.trim() !== '', 'must not be empty')

export const presetToAddSchema: z.ZodType<PresetToAdd> = z
  .object({
    id,
    name: presetName,
    setup: z.nullable(setupSchema),
    prompt: prompt.exactOptional(),
    position: position.exactOptional(),
  })
  .refine((preset) => preset.setup !== null || preset.prompt !== undefined, 'must have a setup or a prompt')

export const presetChangeSchema: z.ZodType<PresetChange> = z
  .object({ name: presetName.exactOptional(), setup: z.exactOptional(setupSchema), prompt: prompt.exactOptional() })
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')

export const presetOrderSchema: z.ZodType<{ readonly order: readonly string[] }> = z.object({
  order: z.array(id).max(maxPresets, `must be at most ${maxPresets} presets`),
})

export const newChatsSchema: z.ZodType<{ readonly setup: ChatSetup | null }> = z.object({
  setup: z.nullable(setupSchema),
})

const projectName = z
  .string()
  .max(maxProjectNameChars * 4)
  .transform(cleanProjectName)
  .refine((text) => text !== '', 'must not be empty')
const instructions = z.string().max(maxInstructionChars, `must be at most ${maxInstructionChars} characters`)
const text = z.string().max(maxMemoryChars, `must be at most ${maxMemoryChars} characters`)
const setup = z.nullable(setupSchema)

export const projectToAddSchema: z.ZodType<ProjectToAdd> = z.object({
  id,
  name: projectName,
  instructions,
  setup,
  memory: text.exactOptional(),
})

export const projectChangeSchema: z.ZodType<ProjectChange> = z
  .object({
    name: projectName.exactOptional(),
    instructions: instructions.exactOptional(),
    setup: z.exactOptional(setup),
  })
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')

export const memoryChangeSchema: z.ZodType<MemoryChange> = z.object({ text, version: z.int().min(0) })
