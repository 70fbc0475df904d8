/** UTF-16 units by name, as readers compare them; -1, the end of a text, equals none of them. */

export const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
/** White space and control characters are at or below it. */
export const SPACE = 0x20
export const BANG = 0x21
export const QUOTE = 0x22
export const HASH = 0x23
export const DOLLAR = 0x24
export const APOSTROPHE = 0x27
export const OPEN_PAREN = 0x28
export const CLOSE_PAREN = 0x29
export const STAR = 0x2a
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const AT = 0x40
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const UNDERSCORE = 0x5f
export const BACKTICK = 0x60
export const OPEN_BRACE = 0x7b
export const PIPE = 0x7c
export const CLOSE_BRACE = 0x7d
export const TILDE = 0x7e
export const LAST_ASCII = 0x7f
/** `‘’ “” „` */
export const LEFT_SINGLE_QUOTE = 0x2018
export const RIGHT_SINGLE_QUOTE = 0x2019
export const LEFT_QUOTE = 0x201c
export const RIGHT_QUOTE = 0x201d
export const LOW_QUOTE = 0x201e
export const ELLIPSIS = 0x2026
/** `◁ ▷` */
export const LEFT_TRIANGLE = 0x25c1
export const RIGHT_TRIANGLE = 0x25b7
/** `「` */
export const LEFT_CORNER = 0x300c
export const FULL_WIDTH_QUOTE = 0xff02
export const FULL_WIDTH_COMMA = 0xff0c
export const FULL_WIDTH_COLON = 0xff1a
export const BYTE_ORDER_MARK = 0xfeff
export const LAST_CODE_POINT = 0x10ffff
