import * as z from 'zod/mini'
import {
  cleanProjectName,
  mostInstructionChars,
  mostMemoryChars,
  mostProjectNameChars,
  type ProjectContent,
  type ProjectToAdd,
} from './project'
import { setupSchema } from './settings'

/** `{ "nod": "project", "version": 1, "name": …, "instructions": …, "setup": …, "memory": … }`. */
export const writeProjectFile = ({ name, instructions, setup }: ProjectContent, memory: string): string =>
  `${JSON.stringify({ nod: 'project', version: 1, name, instructions, setup, memory }, null, 2)}\n`

/** More than any file that we write. */
export const maxProjectFileBytes = 500_000

const fileSchema = z.object({
  nod: z.literal('project'),
  version: z.literal(1),
  name: z.string().check(z.maxLength(mostProjectNameChars * 4)),
  instructions: z.string().check(z.maxLength(mostInstructionChars)),
  setup: z.nullable(setupSchema),
  memory: z.string().check(z.maxLength(mostMemoryChars)),
})

/** Null: the text is no file of a project, or one of a newer Nod. */
export function readProjectFile(text: string): Omit<ProjectToAdd, 'id'> | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const file = fileSchema.safeParse(value)
  if (!file.success) return null
  const { instructions, setup, memory } = file.data
  const name = cleanProjectName(file.data.name)
  return name === '' ? null : { name, instructions, setup, memory }
}
