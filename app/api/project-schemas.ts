import { z } from 'zod'
import {
  cleanProjectName,
  mostInstructionChars,
  mostMemoryChars,
  mostProjectNameChars,
  type MemoryChange,
  type ProjectChange,
  type ProjectToAdd,
} from '@/lib/shared/conversation/settings/project'
import { setupSchema } from '@/lib/shared/conversation/settings/settings'
import { id } from './schemas'

const name = z
  .string()
  .max(mostProjectNameChars * 4)
  .transform(cleanProjectName)
  .refine((text) => text !== '', 'must not be empty')
const instructions = z.string().max(mostInstructionChars, `must be at most ${mostInstructionChars} characters`)
const text = z.string().max(mostMemoryChars, `must be at most ${mostMemoryChars} characters`)
const setup = z.nullable(setupSchema)

export const projectToAddSchema: z.ZodType<ProjectToAdd> = z.object({
  id,
  name,
  instructions,
  setup,
  memory: text.exactOptional(),
})

export const projectChangeSchema: z.ZodType<ProjectChange> = z
  .object({ name: name.exactOptional(), instructions: instructions.exactOptional(), setup: z.exactOptional(setup) })
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')

export const memoryChangeSchema: z.ZodType<MemoryChange> = z.object({ text, version: z.int().min(0) })
