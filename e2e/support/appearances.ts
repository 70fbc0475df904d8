const wide = { width: 1280, height: 860 }
const contextOptions = { reducedMotion: 'no-preference' } as const

/** The color schemes and sizes in which a page is read; with animations. */
export const looks = {
  light: { colorScheme: 'light', viewport: wide, contextOptions },
  dark: { colorScheme: 'dark', viewport: wide, contextOptions },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, contextOptions },
  darkPhone: { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, contextOptions },
  /** 1440 × 900 at 200 %. */
  zoom: { colorScheme: 'light', viewport: { width: 720, height: 450 }, contextOptions },
} as const

export type Appearance = keyof typeof looks

/** Whether each journey runs in all of its looks, with pictures: `NOD_LOOKS=all`, as nightly and for the README's. */
export const testsAllAppearances = process.env['NOD_LOOKS'] === 'all' || process.env['NOD_PICTURES'] !== undefined

/**
 * The looks of a journey. On each change it runs in the first one; these differ between journeys, so that together they
 * cover all. If all looks are requested, it runs in the others too.
 */
export const appearancesOf = (first: Appearance, ...others: readonly Appearance[]): readonly Appearance[] =>
  testsAllAppearances ? [first, ...others] : [first]
