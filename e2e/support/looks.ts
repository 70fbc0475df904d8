const wide = { width: 1280, height: 860 }
const contextOptions = { reducedMotion: 'no-preference' } as const

/** In which light and at which size somebody reads a page; with all that moves. */
export const looks = {
  light: { colorScheme: 'light', viewport: wide, contextOptions },
  dark: { colorScheme: 'dark', viewport: wide, contextOptions },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, contextOptions },
  /** 1440 × 900 at 200 %. */
  zoom: { colorScheme: 'light', viewport: { width: 720, height: 450 }, contextOptions },
} as const

export type Appearance = keyof typeof looks

/** Whether each journey is taken in all of its looks, with pictures: `NOD_LOOKS=all`, as nightly and for the README's. */
export const takesAllLooks = process.env['NOD_LOOKS'] === 'all' || process.env['NOD_PICTURES'] !== undefined

/**
 * The looks of a journey. On each change it is taken in the first of them, which differ from journey to journey so that
 * together they are all; in the others as well where all are asked for.
 */
export const looksOf = (first: Appearance, ...others: readonly Appearance[]): readonly Appearance[] =>
  takesAllLooks ? [first, ...others] : [first]
