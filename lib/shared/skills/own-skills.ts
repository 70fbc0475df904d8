/** Skills that are part of this build, with their files (`public/skills`). */
export const ownSkills = {
  'csv-report': ['SKILL.md', 'scripts/report.js'],
  'pdf-summary': ['SKILL.md', 'references/kinds.md'],
  'table-check': ['SKILL.md', 'scripts/check.js'],
} as const

export type OwnSkill = keyof typeof ownSkills
export const ownNames = Object.keys(ownSkills) as readonly OwnSkill[]
