import { t, textOfKey } from '@/lib/i18n/t'

/** A tag as a heading: "files" → "Files"; one that others gave begins with a capital. Null: tools without a tag. */
export function tagTitle(tag: string | null): string {
  if (tag === null) return t('tag.other')
  return textOfKey(`tag.${tag}`) ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`
}
