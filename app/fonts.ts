import '@fontsource-variable/geist/wght.css'
import '@fontsource-variable/geist-mono/wght.css'
import localFont from 'next/font/local'

/*
 * Geist by scripts, each a file that is fetched when a letter of it shows: a first visit takes the Latin one alone. That one
 * stands here as well, so that the page names it ahead; for all others the family of the style sheets follows (`theme.css`).
 */
export const latin = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-latin',
  adjustFontFallback: false,
  // What the file holds, as its style sheet says.
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
})
