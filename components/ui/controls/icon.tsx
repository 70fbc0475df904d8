import { glyphs, type Glyph, type GlyphName } from '@/lib/base/text/glyphs'

export type IconName = GlyphName

export interface IconProps {
  readonly name: IconName
  /** Only for an icon without adjacent text of the same meaning. */
  readonly label?: string
  readonly className?: string
}

export function Icon({ name, label, className }: IconProps) {
  const glyph: Glyph = glyphs[name]
  return (
    <svg
      viewBox="0 0 16 16"
      className={className}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {glyph.d ? <path d={glyph.d} /> : null}
      {glyph.circles?.map(([cx, cy, r, filled], index) => (
        <circle key={index} cx={cx} cy={cy} r={r} {...(filled ? { fill: 'currentColor', stroke: 'none' } : {})} />
      ))}
    </svg>
  )
}
