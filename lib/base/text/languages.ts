/** The languages of the app. The first one is the fallback. */
export const languages = ['en', 'zh-CN'] as const

export type Language = (typeof languages)[number]

/** Each language in its own name, so that people who read no other language find it. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '中文' }

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The best of our languages for this tag: any Chinese is closer to ours than English is. */
function nearest(tag: string): Language | null {
  const primary = tag.trim().toLowerCase().split('-', 1)[0]
  return languages.find((language) => language.split('-', 1)[0] === primary) ?? null
}

/**
 * The language for a reader who chose none, by the browser's `Accept-Language` ("zh-TW,zh;q=0.9,en;q=0.8"): of the
 * accepted languages (q above 0), the most preferred one that we have; otherwise English.
 */
export function languageAccepted(header: string | null): Language {
  const liked = (header ?? '').split(',').map((entry, at) => {
    const [tag = '', ...parameters] = entry.split(';')
    const q = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
    return { language: nearest(tag), q: q === undefined ? 1 : Number(q), at }
  })
  const best = liked
    .filter(({ language, q }) => language !== null && q > 0 && q <= 1)
    .toSorted((one, other) => other.q - one.q || one.at - other.at)[0]
  return best?.language ?? languages[0]
}
