import { t, textOfKey } from '@/lib/i18n/t'

/** A tag as a heading: "files" → "Files"; unknown tags are capitalised. Null: tools without a tag. */
export function tagTitle(tag: string | null): string {
  if (tag === null) return t('tag.other')
  return textOfKey(`tag.${tag}`) ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`
}

/** “Write file”, in the reader’s language. Null: not a built-in tool. */
export const toolLabel = (name: string): string | null => textOfKey(`name.${name}`)

/** Null: not a built-in tool. */
export const toolAbout = (name: string): string | null => textOfKey(`about.${name}`, {})

/** Null: not a parameter of a built-in tool, or its description is only an example. */
export const parameterAbout = (tool: string, name: string): string | null => textOfKey(`about.${tool}.${name}`, {})

/** The name of a kind of file, as given by `kindOfFile`, in the reader’s language. */
export const fileKindLabel = (words: string): string => textOfKey(`file-kind.${words}`) ?? words

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A browser as its user would name it: "Firefox on Linux"; unknown parts are named as unknown. */
export function deviceLabel(userAgent: string | null): string {
  const found = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [found(browsers), found(systems)]
  if (system === undefined) return browser ?? t('base.device.unknown')
  return browser === undefined ? t('base.device.browser', { system }) : t('base.device', { browser, system })
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * How long ago something was: "just now", "12 min ago", "3 h ago", "2 days ago". Differences between clocks give "just
 * now".
 */
export function formatAge(ms: number): string {
  if (ms < minute) return t('base.age.now')
  if (ms < hour) return t('base.age.minutes', { count: Math.floor(ms / minute) })
  if (ms < day) return t('base.age.hours', { count: Math.floor(ms / hour) })
  return t('base.age.days', { count: Math.floor(ms / day) })
}
