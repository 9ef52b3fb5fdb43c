/** Goods by industry, with the data for containers, orders and dangerous goods declarations. */

export type SampleProduct = {
  sku: string
  name: string
  /** Harmonized System heading and subheading. */
  hs: string
  unitKg: number
  unitDollars: number
}

export type Goods = {
  industry: string
  description: string
  products: readonly SampleProduct[]
  packaging: 'pallet' | 'package' | 'rigid_crate'
  /** Kilograms per cubic metre, packed. */
  density: readonly [least: number, most: number]
  stackable?: false
  hazard?: string
  lithium?: 'alone' | 'contained' | 'packed'
  magnets?: true
  temperature?: string
  // Too long, too wide or too heavy for the doors of a standard container.
  oversize?: true
  airworthy?: true
}

const product = (sku: string, name: string, hs: string, unitKg: number, unitDollars: number): SampleProduct => ({
  sku,
  name,
  hs,
  unitKg,
  unitDollars,
})

export const goods: readonly Goods[] = [
  {
    industry: 'home',
    description: 'Ceramic tableware and kitchenware',
    packaging: 'pallet',
    density: [260, 380],
    products: [
      product('TBL-DNR-27', 'Dinner plate 27 cm, stoneware', '6912.00', 0.78, 2.4),
      product('TBL-BWL-16', 'Bowl 16 cm, glazed', '6911.10', 0.46, 1.7),
      product('TBL-MUG-35', 'Mug 35 cl “Café”', '6912.00', 0.38, 1.25),
    ],
  },
  {
    industry: 'home',
    description: 'Flat-pack furniture of wood',
    packaging: 'package',
    density: [210, 330],
    products: [
      product('FUR-SHF-180', 'Bookshelf 180 cm, oak veneer', '9403.60', 31, 46),
      product('FUR-DSK-120', 'Desk 120 × 60 cm', '9403.30', 24.5, 38),
      product('FUR-CHR-01', 'Dining chair, beech', '9401.69', 5.6, 17.5),
    ],
  },
  {
    industry: 'fashion',
    description: 'Cotton garments, knitted and woven',
    packaging: 'package',
    density: [150, 240],
    airworthy: true,
    products: [
      product('APP-TEE-M', 'T-shirt, organic cotton', '6109.10', 0.19, 3.1),
      product('APP-SHR-L', 'Shirt, poplin', '6205.20', 0.27, 6.4),
      product('APP-DNM-32', 'Jeans, denim', '6203.42', 0.62, 9.8),
    ],
  },
  {
    industry: 'fashion',
    description: 'Sports footwear',
    packaging: 'package',
    density: [120, 180],
    airworthy: true,
    products: [
      product('SHO-RUN-42', 'Running shoe, mesh', '6404.11', 0.85, 14.2),
      product('SHO-TRL-43', 'Trail shoe, waterproof', '6404.11', 1.05, 19.6),
    ],
  },
  {
    industry: 'electronics',
    description: 'LED luminaires and drivers',
    packaging: 'package',
    density: [140, 230],
    airworthy: true,
    products: [
      product('LED-PNL-60', 'LED panel 60 × 60 cm, 36 W', '9405.11', 2.3, 13.9),
      product('LED-DRV-40', 'Constant-current driver 40 W', '8504.40', 0.21, 4.3),
    ],
  },
  {
    industry: 'electronics',
    description: 'Tablet computers with built-in batteries (UN3481, PI 967)',
    packaging: 'package',
    density: [180, 260],
    lithium: 'contained',
    hazard: 'UN3481, Class 9',
    airworthy: true,
    products: [
      product('TAB-10-64', 'Tablet 10.4", 64 GB', '8471.30', 0.71, 118),
      product('TAB-08-32', 'Tablet 8", 32 GB', '8471.30', 0.48, 79),
    ],
  },
  {
    industry: 'electronics',
    description: 'Power tools packed with spare batteries (UN3481, PI 966)',
    packaging: 'package',
    density: [230, 340],
    lithium: 'packed',
    magnets: true,
    hazard: 'UN3481, Class 9',
    airworthy: true,
    products: [
      product('TOL-DRL-18', 'Cordless drill 18 V with 2 batteries', '8467.21', 3.1, 54),
      product('TOL-SAW-18', 'Circular saw 18 V with battery', '8467.22', 4.2, 73),
    ],
  },
  {
    industry: 'energy',
    description: 'Lithium iron phosphate battery modules (UN3480)',
    packaging: 'rigid_crate',
    density: [420, 620],
    lithium: 'alone',
    hazard: 'UN3480, Class 9',
    stackable: false,
    products: [
      product('BAT-LFP-51', 'Battery module 51.2 V 100 Ah', '8507.60', 44, 690),
      product('BAT-LFP-48', 'Battery rack 48 V 50 Ah', '8507.60', 26, 395),
    ],
  },
  {
    industry: 'energy',
    description: 'Photovoltaic modules',
    packaging: 'pallet',
    density: [330, 430],
    products: [
      product('PVM-430-HC', 'Photovoltaic module 430 W, half-cut', '8541.43', 21.5, 58),
      product('PVM-550-BF', 'Photovoltaic module 550 W, bifacial', '8541.43', 28.6, 81),
    ],
  },
  {
    industry: 'machinery',
    description: 'Electric motors with permanent magnets',
    packaging: 'rigid_crate',
    density: [480, 720],
    magnets: true,
    airworthy: true,
    products: [
      product('MOT-4K0-B5', 'Servo motor 4 kW', '8501.52', 22.4, 310),
      product('MOT-7K5-B3', 'Servo motor 7.5 kW', '8501.52', 41, 540),
    ],
  },
  {
    industry: 'machinery',
    description: 'Machine tools and parts, crated',
    packaging: 'rigid_crate',
    density: [360, 560],
    stackable: false,
    oversize: true,
    products: [
      product('CNC-VMC-08', 'Vertical machining centre', '8457.10', 3850, 61_000),
      product('CNC-ATC-24', 'Tool changer, 24 places', '8466.93', 410, 5200),
    ],
  },
  {
    industry: 'automotive',
    description: 'Brake discs and pads',
    packaging: 'pallet',
    density: [700, 980],
    airworthy: true,
    products: [
      product('BRK-DSC-300', 'Brake disc 300 mm, vented', '8708.30', 8.9, 18.4),
      product('BRK-PAD-FR', 'Brake pad set, front', '6813.81', 1.8, 9.7),
    ],
  },
  {
    industry: 'automotive',
    description: 'Pneumatic tyres',
    packaging: 'package',
    density: [110, 160],
    products: [
      product('TYR-205-55', 'Tyre 205/55 R16', '4011.10', 8.7, 31),
      product('TYR-225-45', 'Tyre 225/45 R17', '4011.10', 9.6, 38),
    ],
  },
  {
    industry: 'food',
    description: 'Green coffee beans in bags',
    packaging: 'pallet',
    density: [560, 680],
    products: [
      product('COF-ARA-60', 'Arabica, washed, 60 kg bag', '0901.11', 60.5, 236),
      product('COF-ROB-60', 'Robusta, 60 kg bag', '0901.11', 60.5, 148),
    ],
  },
  {
    industry: 'food',
    description: 'Frozen shrimp and fish fillets',
    packaging: 'package',
    density: [430, 560],
    temperature: '-22 °C to -18 °C',
    products: [
      product('FRZ-SHR-2K', 'Shrimp, peeled, 2 kg carton', '0306.17', 2.2, 15.8),
      product('FRZ-PAN-5K', 'Pangasius fillets, 5 kg carton', '0304.62', 5.4, 14.1),
    ],
  },
  {
    industry: 'food',
    description: 'Fresh fruit, chilled',
    packaging: 'pallet',
    density: [330, 430],
    temperature: '+2 °C to +6 °C, ventilation 25 cbm/h',
    products: [
      product('FRU-AVO-10', 'Avocado “Hass”, 10 kg carton', '0804.40', 10.8, 24),
      product('FRU-BLU-04', 'Blueberries, 4 kg carton', '0810.40', 4.4, 21),
    ],
  },
  {
    industry: 'health',
    description: 'Vaccines and biological reagents',
    packaging: 'package',
    density: [120, 190],
    temperature: '+2 °C to +8 °C',
    airworthy: true,
    products: [
      product('BIO-VAC-10', 'Vaccine, 10 doses, carton of 50', '3002.41', 3.9, 840),
      product('BIO-REA-KT', 'Reagent kit', '3822.19', 1.4, 210),
    ],
  },
  {
    industry: 'health',
    description: 'Disposable gloves and gowns',
    packaging: 'package',
    density: [170, 260],
    airworthy: true,
    products: [
      product('MED-GLV-M', 'Nitrile gloves, box of 100', '4015.12', 0.55, 3.6),
      product('MED-GWN-L', 'Isolation gown, non-woven', '6210.10', 0.12, 0.9),
    ],
  },
  {
    industry: 'chemicals',
    description: 'Paints and varnishes, flammable',
    packaging: 'pallet',
    density: [620, 860],
    hazard: 'UN1263, Class 3, PG III',
    products: [
      product('PNT-VRN-5L', 'Varnish, solvent-based, 5 l', '3208.90', 5.4, 22),
      product('PNT-PRM-10', 'Primer, 10 l', '3208.20', 12.6, 35),
    ],
  },
  {
    industry: 'chemicals',
    description: 'Perfumery products containing alcohol',
    packaging: 'package',
    density: [260, 360],
    hazard: 'UN1266, Class 3, PG II',
    airworthy: true,
    products: [
      product('PRF-EDP-50', 'Eau de parfum 50 ml', '3303.00', 0.29, 16.5),
      product('PRF-EDT-100', 'Eau de toilette 100 ml', '3303.00', 0.41, 12.8),
    ],
  },
  {
    industry: 'leisure',
    description: 'Toys and board games',
    packaging: 'package',
    density: [150, 230],
    airworthy: true,
    products: [
      product('TOY-BLK-500', 'Building blocks, 500 pieces', '9503.00', 1.1, 9.2),
      product('TOY-GAM-FR', 'Board game “Île au trésor”', '9504.90', 1.3, 7.9),
    ],
  },
  {
    industry: 'leisure',
    description: 'Bicycles and parts',
    packaging: 'package',
    density: [90, 140],
    products: [
      product('BIC-TRK-54', 'Trekking bicycle, frame 54', '8712.00', 16.8, 235),
      product('BIC-WHL-28', 'Wheel set 28"', '8714.92', 3.2, 44),
    ],
  },
]

export const industries: readonly string[] = [...new Set(goods.map(({ industry }) => industry))]

export function goodsOf(industry: string): readonly Goods[] {
  return goods.filter((candidate) => candidate.industry === industry)
}
