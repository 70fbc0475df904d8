/** Glyphs on a 16px grid, drawn with a 1.5px line. A circle is `[cx, cy, r]`; a fourth member `true` fills it. */
export interface Glyph {
  readonly d?: string
  readonly circles?: readonly (readonly [number, number, number, true?])[]
}

/** The one table of glyphs. A new one is a line here. */
export const glyphs = {
  ask: { d: 'M2 2.5h12v8.75H7.5l-3.25 3v-3H2z M6.4 5.6a1.7 1.7 0 1 1 2.3 1.7l-.7.5v.4 M8 9.6v.01' },
  temporary: {
    d: 'M2 5V2.5h2.75 M6.75 2.5h2.5 M11.25 2.5H14V5 M14 6.75v1.5 M14 10v1.25h-2.25 M9.75 11.25H7.5l-3.25 3v-3H2V9.5 M2 8V6.75',
  },
  read: { d: 'M4 1.75h5L12.25 5v9.25H4z M9 1.75V5h3.25 M6.25 8.25h3.75 M6.25 11h3.75' },
  write: { d: 'M8 14.25H3.75V1.75h5L12 5v1.5 M8.75 1.75V5H12 M13.9 8.6l-3.6 3.6-.55 2 2-.55 3.6-3.6z' },
  js: { d: 'M1.75 2.75h12.5v10.5H1.75z M4.5 6l2 2-2 2 M8.25 10.25h3.25' },
  trash: { d: 'M2.75 4.25h10.5 M6 4.25v-1.5h4v1.5 M4.25 4.25l.5 9.5h6.5l.5-9.5 M6.75 7v4 M9.25 7v4' },
  folder: { d: 'M1.75 3.25h4.5l1.5 1.75h6.5v8.25H1.75z' },
  wait: {
    circles: [
      [8, 8, 5.75],
      [8, 8, 2.5, true],
    ],
  },
  user: { d: 'M2.75 14c.4-3 2.4-4.5 5.25-4.5s4.85 1.5 5.25 4.5', circles: [[8, 5, 2.75]] },
  spinner: { d: 'M8 2.25A5.75 5.75 0 1 1 2.25 8' },
  ok: { d: 'M3 8.5l3.25 3.25L13 4.75' },
  cross: { d: 'M4 4l8 8 M12 4l-8 8' },
  no: { d: 'M4 12l8-8', circles: [[8, 8, 5.75]] },
  cut: { d: 'M1.75 8h4 M10.25 8h4 M6.75 4.5l-1 7 M10.25 4.5l-1 7' },
  chart: { d: 'M2.25 2v11.75H14 M5.5 11V8 M8.5 11V4.5 M11.5 11V6.5' },
  quote: { d: 'M5.25 4L1.75 8l3.5 4 M10.75 4l3.5 4-3.5 4' },
  warn: { d: 'M8 2.25l6.25 11.5H1.75z M8 6.5v3.25 M8 11.75v.01' },
  info: { d: 'M8 7.25v4 M8 4.9v.01', circles: [[8, 8, 6]] },
  clock: { d: 'M8 4.75V8l2.25 1.5', circles: [[8, 8, 6]] },
  send: { d: 'M8 13V3.25 M3.75 7.5L8 3.25l4.25 4.25' },
  speaker: { d: 'M2.25 6v4h2.5L8 12.75v-9.5L4.75 6z M10.5 5.75a3 3 0 0 1 0 4.5 M12.25 4a5.5 5.5 0 0 1 0 8' },
  microphone: {
    d: 'M8 1.75a2 2 0 0 1 2 2v3.5a2 2 0 0 1-4 0v-3.5a2 2 0 0 1 2-2z M3.75 7.25a4.25 4.25 0 0 0 8.5 0 M8 11.5v2.75',
  },
  stop: { d: 'M4.75 4.75h6.5v6.5h-6.5z' },
  down: { d: 'M4 6l4 4 4-4' },
  up: { d: 'M4 10l4-4 4 4' },
  right: { d: 'M6 4l4 4-4 4' },
  left: { d: 'M10 4L6 8l4 4' },
  plus: { d: 'M8 3v10 M3 8h10' },
  find: { d: 'M10.25 10.25l3.5 3.5', circles: [[7, 7, 4.25]] },
  menu: { d: 'M2.25 4.5h11.5 M2.25 8h11.5 M2.25 11.5h11.5' },
  settings: {
    d: 'M2 4.75h6.5 M12 4.75h2 M2 11.25h2 M7.5 11.25H14',
    circles: [
      [10.25, 4.75, 1.75],
      [5.75, 11.25, 1.75],
    ],
  },
  expand: { d: 'M9.75 2.25h4v4 M6.25 13.75h-4v-4 M13.75 2.25L9.5 6.5 M2.25 13.75L6.5 9.5' },
  panel: { d: 'M1.75 2.75h12.5v10.5H1.75z M10 2.75v10.5' },
  clip: { d: 'M13 7.5l-5 5a3 3 0 0 1-4.25-4.25l5.5-5.5a2 2 0 0 1 2.85 2.85l-5.4 5.4a1 1 0 0 1-1.4-1.4L10 4.9' },
  plug: { d: 'M5.5 1.75v3.5 M10.5 1.75v3.5 M3.75 5.25h8.5v2a4.25 4.25 0 0 1-8.5 0z M8 11.5v2.75' },
  copy: { d: 'M5.75 5.75h8v8h-8z M10.25 5.75v-3.5h-8v8h3.5' },
  again: { d: 'M13.25 8A5.25 5.25 0 1 1 11.5 4.1 M13.25 2v3h-3' },
  restore: { d: 'M2.75 8a5.25 5.25 0 1 0 1.75-3.9 M2.75 2v3h3 M8 5.25V8l2 1.25' },
  pin: { d: 'M5.25 1.75h5.5 M6.25 1.75v4.5L4 9.25h8L9.75 6.25v-4.5 M8 9.25v5' },
  edit: { d: 'M10.75 2.75l2.5 2.5-7.75 7.75-3 .5.5-3z' },
  keyboard: { d: 'M1.75 3.75h12.5v8.5H1.75z M5 9.75h6 M4.5 6.5v.01 M7 6.5v.01 M9.25 6.5v.01 M11.5 6.5v.01' },
  lab: { d: 'M6 1.75h4 M6.75 1.75v4.5L2.75 13.5v.75h10.5v-.75l-4-7.25v-4.5' },
  upload: { d: 'M8 11V2.75 M4.75 6L8 2.75 11.25 6 M2.5 13.25h11' },
  save: { d: 'M8 2.75V11 M4.75 7.75L8 11l3.25-3.25 M2.5 13.25h11' },
  share: { d: 'M9.75 2.25h4v4 M13.75 2.25L8 8 M12.25 9.5v4.25h-10v-10h4.25' },
  image: { d: 'M2 2.75h12v10.5H2z M2 11l3.5-3.5 3 3 2-2L14 12', circles: [[10.5, 5.75, 1]] },
  language: {
    circles: [[8, 8, 6]],
    d: 'M2 8h12M8 2c2 1.8 2.6 4 2.6 6S10 12.2 8 14C6 12.2 5.4 10 5.4 8S6 3.8 8 2',
  },
  theme: { d: 'M8 2.25v11.5a5.75 5.75 0 0 0 0-11.5', circles: [[8, 8, 5.75]] },
  more: {
    circles: [
      [3.25, 8, 1, true],
      [8, 8, 1, true],
      [12.75, 8, 1, true],
    ],
  },
  end: { d: 'M8 2.75v8.5 M4.5 7.75L8 11.25l3.5-3.5 M3 13.75h10' },
} as const satisfies Record<string, Glyph>

export type GlyphName = keyof typeof glyphs
