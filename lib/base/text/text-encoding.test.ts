import { describe, expect, it } from 'vitest'
import { singleByteNames, type TextEncodingName } from './encoding-names'
import { documentOf } from './document-formats'
import { decodeText } from './text-encoding'

/** Encodes text in an encoding that only `TextDecoder` supports, by inverting its table. */
function encoderOf(encoding: TextEncodingName): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, readonly number[]>()
  const note = (bytes: readonly number[]) => {
    try {
      const letter = decoder.decode(new Uint8Array(bytes))
      if (Array.from(letter).length === 1 && !table.has(letter)) table.set(letter, bytes)
    } catch {
      // No character has these bytes.
    }
  }
  for (let byte = 0; byte < 256; byte += 1) note([byte])
  if (!singleByteNames.some((name) => name === encoding)) {
    for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) note([lead, trail])
  }
  return (text) =>
    new Uint8Array(
      Array.from(text).flatMap((letter) => {
        const bytes = table.get(letter)
        if (!bytes) throw new Error(`${letter} is not in ${encoding}`)
        return [...bytes]
      }),
    )
}

const utf16 = (text: string, isBig: boolean) => {
  const data = new Uint8Array(2 + text.length * 2)
  const view = new DataView(data.buffer)
  view.setUint16(0, 0xfeff, !isBig)
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + at * 2, text.charCodeAt(at), !isBig)
  return data
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe("detecting a text's encoding", () => {
  it.each<[TextEncodingName, readonly string[]]>([
    [
      'gb18030',
      [
        '姓名,城市\n张三,北京\n李四,上海\n',
        '订单编号,金额,备注\r\n1001,25.50,已发货\r\n1002,13.00,待付款\r\n',
        '这是一段普通的中文说明文字，用于测试。',
        '价格：100元（含税）',
        'name,城市\nalice,上海\n',
      ],
    ],
    [
      'windows-1252',
      [
        'Name;Größe\nMüller;12\n',
        'Café, naïve, déjà vu, garçon',
        'Preis: 5 € – “gut”',
        'El niño comió piña mañana',
        'Ville;Montant\nOrléans;10\nNîmes;20\nBéziers;3\nBesançon;4\n',
        'Name;Größe\nMüller;12\nJäger;3\nStraße;4\n',
        'By;Beløb\nKøbenhavn;10\nÅrhus;20\nNæstved;3\n',
        'Cidade;Valor\nSão Paulo;10\nBrasília;20\nConceição;4\n',
        'Borg;Upphæð\nReykjavík;10\nÍsafjörður;3\nÞórshöfn;1\n',
        `${'plain words and more of them. '.repeat(20)}é`,
      ],
    ],
    ['big5', ['姓名,城市\n張三,臺北\n李四,高雄\n王五,臺中\n', '這是一個繁體中文的檔案，內容只有文字。']],
    [
      'windows-1250',
      [
        'Miasto;Kwota\nŁódź;10\nGdańsk;20\nMichał Wiśniewski;5\n',
        'Město;Částka\nPlzeň;10\nČeské Budějovice;20\nÚstí nad Labem;5\n',
        'Név;Összeg\nGyőr;10\nSzékesfehérvár;5\nTűzoltó;1\n',
        'Oraş;Sumă\nBucureşti;10\nIaşi;20\nTimişoara;4\n',
      ],
    ],
    ['iso-8859-2', ['imię,nazwisko\nŻaneta,Wójcik\nPaweł,Dąbrowski\n', 'Grad;Iznos\nŠibenik;10\nPožega;3\n']],
    [
      'windows-1251',
      [
        'Город;Сумма\nМосква;1200\nСанкт-Петербург;850\n',
        'имя,город\nИван,Омск\n',
        'Місто;Сума\nКиїв;100\nЛьвів;50\n',
        'Град,Износ\nБеоград,10\nНиш,20\nЊиве,3\n',
      ],
    ],
    [
      'koi8-r',
      [
        'Город;Сумма\nМосква;1200\nКазань;300\n',
        'имя,город\nИван,Омск\n',
        'ГОРОД;СУММА\nМОСКВА;12\nОМСК;5\n',
        'ТОВАР,ЦЕНА\nХЛЕБ,40\nМОЛОКО,80\n',
      ],
    ],
    ['windows-1251', ['ОТЧЁТ ЗА МАЙ\nВЫРУЧКА;500\nРАСХОДЫ;200\n', 'АДРЕС;ТЕЛЕФОН\nУЛ. ЛЕНИНА 5;12-34\n']],
    ['ibm866', ['Город;Сумма\nМосква;1200\nКазань;300\n']],
    ['windows-1253', ['Πόλη;Ποσό\nΑθήνα;10\nΘεσσαλονίκη;20\n']],
    ['windows-1254', ['Şehir;Tutar\nİstanbul;10\nMuğla;5\nIğdır;7\n']],
    ['windows-1255', ['עיר,סכום\nירושלים,10\nתל אביב,20\n']],
    ['windows-1256', ['المدينة,المبلغ\nالقاهرة,10\nالرياض,20\n']],
    ['windows-1257', ['Pilsēta;Summa\nRīga;10\nLiepāja;5\nJūrmala;3\n', 'Miestas\nŠiauliai\nKėdainiai\nTelšių\n']],
    ['windows-874', ['จังหวัด,ยอด\nกรุงเทพ,10\nเชียงใหม่,20\n']],
    ['iso-8859-15', ['Désignation;Prix\nCafé;3,50 €\nŒuf;1 €\n']],
    ['macintosh', ['Name;Größe\nMüller;12\nStraße;4\n', 'Ville;Montant\nOrléans;10\nBesançon;4\n']],
    ['shift_jis', ['都市,金額\n東京,10\n大阪,20\n名古屋,5\n札幌,3\n']],
    ['shift_jis', ['ﾅﾏｴ,ｼﾞｭｳｼｮ\nﾀﾅｶ,ﾄｳｷｮｳ\n', '品名,ｺｰﾄﾞ\nﾈｼﾞ,12\n釘,13\n', 'ﾃﾞﾝﾜ;ﾊﾞﾝｺﾞｳ\nｻﾄｳ ﾊﾅｺ;03\n']],
    ['shift_jis', ['名前,住所\nたなか,とうきょう\nサトウ,オオサカ\n', 'これは日本語のテキストです。']],
    [
      'euc-jp',
      [
        '都市,金額\n東京,10\n大阪,20\n名古屋,5\n札幌,3\n',
        '注文番号,顧客名\n1001,株式会社田中商店\n',
        '会議の議事録\n出席者：佐藤、高橋\n',
        '品名,数量\n机,12\n椅子,13\n',
      ],
    ],
    ['euc-jp', ['これはにほんごのテキストです。', 'ひらがなとカタカナのファイル']],
    ['euc-kr', ['이름\n김\n', '상품,가격\n사과,10\n', '안녕하세요', 'name,city\nkim,서울\n', '과목;점수\n국어;90\n']],
    ['big5', ['部門;人數\n業務;3\n', '豬肉,羊肉,魚\n20,30,40\n', '備註：無\n']],
    ['gb18030', ['药品,剂量\n阿司匹林,两片\n', '备注\n无\n', '猪肉,羊肉,鱼\n20,30,40\n']],
    ['euc-kr', ['이름,도시\n김철수,서울\n이영희,부산광역시\n', '이것은 한국어로 쓴 글입니다']],
  ])('recognizes and reads %s', (encoding, texts) => {
    const encode = encoderOf(encoding)
    for (const text of texts) expect(decodeText(encode(text))).toEqual({ text, encoding, markBytes: 0 })
  })

  it.each(['a,b\n1,2\n', '姓名,城市', 'Größe', ''])(
    'a byte order mark decides the encoding and is not part of the text: %j',
    (text) => {
      expect(decodeText(utf16(text, false))).toEqual({ text, encoding: 'utf-16le', markBytes: 2 })
      expect(decodeText(utf16(text, true))).toEqual({ text, encoding: 'utf-16be', markBytes: 2 })
      expect(decodeText(utf8(`\ufeff${text}`))).toEqual({ text, encoding: 'utf-8', markBytes: 3 })
      expect(decodeText(utf8(text))).toEqual({ text, encoding: 'utf-8', markBytes: 0 })
    },
  )

  it.each(['name,city\nZoë,Köln\n', 'Город;Сумма\nМосква;1200\n', '城市,金额\n北京,10\n上海,20\n'])(
    'reads UTF-16 without a byte order mark: %j',
    (text) => {
      const [little, big] = [utf16(text, false).subarray(2), utf16(text, true).subarray(2)]
      expect(decodeText(little)).toEqual({ text, encoding: 'utf-16le', markBytes: 0 })
      expect(decodeText(big)).toEqual({ text, encoding: 'utf-16be', markBytes: 0 })
    },
  )

  it('a text that was cut within a character is read up to that character', () => {
    const gbk = encoderOf('gb18030')('订单编号，金额，备注')
    expect(decodeText(gbk.subarray(0, -1), true)?.text).toBe('订单编号，金额，备')
    expect(decodeText(utf8('编号').subarray(0, 4), true)?.text).toBe('编')
    expect(decodeText(utf16('编号', false).subarray(0, 5), true)?.text).toBe('编')
  })

  it('binary data is not decoded', () => {
    let state = 1
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
    for (let round = 0; round < 300; round += 1) {
      const data = Uint8Array.from({ length: 400 }, () => Math.floor(random() * 256))
      expect(decodeText(data)).toBeNull()
    }
    expect(decodeText(latin1('\x89PNG\r\n\x1a\n\x00\x00'))).toBeNull()
    expect(decodeText(latin1('PK\x03\x04\x14\x00\x06'))).toBeNull()
    expect(decodeText(latin1('\x1f\x8b\x08\x00'))).toBeNull()
    expect(decodeText(latin1('\xff\xfea'))).toBeNull()
  })
})

describe('document formats that only programs read as text', () => {
  it.each([
    ['PDF', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'],
    ['PDF', '\n\n%PDF-1.7\nstream'],
    ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0\nshowpage'],
    ['RTF', '{\\rtf1\\ansi Hello}'],
  ])('%s is not text', (name, text) => {
    expect(documentOf(utf8(text))?.name).toBe(name)
    expect(decodeText(utf8(text))).toBeNull()
    expect(decodeText(utf8(`\ufeff${text}`))).toBeNull()
  })

  it('a text about such a format is text', () => {
    for (const text of [
      'A file begins with %PDF-1.4.',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '% PDF',
      '{"rtf":1}',
    ]) {
      expect(decodeText(utf8(text))?.text).toBe(text)
    }
  })
})
