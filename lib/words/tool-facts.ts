import { labelsOf } from '@/lib/base/catalogue'

/** How much a tool may do harm. */
export const permissionWords = labelsOf('permission', {
  public: 'harmless',
  moderate: 'moderate',
  sensitive: 'sensitive',
} as const)

const tagWords = labelsOf('tag', {
  code: 'Code',
  files: 'Files',
  time: 'Time',
  user: 'User',
  'your own server': 'Your own server',
  other: 'Other',
} as const)

const known: Readonly<Record<string, string>> = tagWords

/** A tag as a heading: "files" → "Files"; one that others gave begins with a capital. Null: tools without a tag. */
export function tagTitle(tag: string | null): string {
  if (tag === null) return tagWords.other
  return (Object.hasOwn(known, tag) ? known[tag] : undefined) ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`
}
