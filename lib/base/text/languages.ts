/** The languages that the app is said in; the first one is that of anyone who asks for none of them. */
export const languages = ['en', 'zh-CN'] as const

export type Language = (typeof languages)[number]

/** Each by its own name, so that who reads no other finds it. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '中文' }

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** Which of ours serves a reader of this tag best: any Chinese is nearer to ours than English is. */
function nearest(tag: string): Language | null {
  const primary = tag.trim().toLowerCase().split('-', 1)[0]
  return languages.find((language) => language.split('-', 1)[0] === primary) ?? null
}

/**
 * What a reader who chose nothing is given, by their browser's `Accept-Language` ("zh-TW,zh;q=0.9,en;q=0.8"): of those that it
 * would read (q above 0), the one it likes most that we have; else English.
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
