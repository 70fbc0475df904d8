import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { isInside, normalizePath } from '@/lib/vfs/path'

/** Skills that are part of this build, with their files (`public/skills`). */
export const ownSkills = {
  'csv-report': ['SKILL.md', 'scripts/report.js'],
  'pdf-summary': ['SKILL.md', 'references/kinds.md'],
  'table-check': ['SKILL.md', 'scripts/check.js'],
} as const

export type OwnSkill = keyof typeof ownSkills
export const ownNames = Object.keys(ownSkills) as readonly OwnSkill[]

/** The folder of a chat's skills. */
export const skillsFolder = '/skills'

/**
 * The folder of all skills, one of them, or something in one. Text that a model writes there would become part of its
 * next prompt.
 */
export function isSkillPath(path: string): boolean {
  const plain = normalizePath(path)
  return plain.ok && isInside(plain.value, skillsFolder)
}

/** The built-in tools that change the files named by their arguments. */
const writers: ReadonlySet<string> = new Set(['write_file', 'edit_file', 'delete_path', 'move_path'])

/** The call would change a skill, or add one. */
export const writesSkill = ({ name, arguments: { path, from, to } }: CallToWrite): boolean =>
  writers.has(name) && [path, from, to].some((one) => typeof one === 'string' && isSkillPath(one))

/** Changes of skills come first, so that a long list can't hide them from the user. */
export const skillsFirst = <T extends { readonly path: string }>(changes: readonly T[]): readonly T[] =>
  changes.toSorted((a, b) => Number(isSkillPath(b.path)) - Number(isSkillPath(a.path)))
