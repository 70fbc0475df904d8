export interface Quotation {
  readonly end: number
  /** The lines without their marks. */
  readonly text: string
  /** Offset in the source for an offset in `text`. */
  place(offset: number): number
}

/** Gathers lines of a quotation: each from `from` on, where its mark has ended, to `end`. */
export class QuotedLines implements Quotation {
  private readonly lines: { readonly at: number; readonly from: number }[] = []
  text = ''
  end = 0

  get count(): number {
    return this.lines.length
  }

  add(source: string, from: number, end: number): void {
    this.lines.push({ at: this.text.length, from })
    this.text += source.slice(from, end)
    this.end = end
  }

  place(offset: number): number {
    const { lines } = this
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle]?.at ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const line = lines[low]
    return line ? line.from + (offset - line.at) : offset
  }
}
