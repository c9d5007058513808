import { keyOf, type Row } from './row.ts'

/** Other names of the quantities that invariants use. Ambiguous names ("Glu") are left out. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  DO: ['dO2', 'pO2', 'Dissolved oxygen', 'DO_PV'],
  'Inlet O2 fraction': ['XO2in'],
  'Off-gas O2': ['O2 out', 'FO2_offgas'],
  'Off-gas CO2': ['CO2 out', 'BlueSens CO2'],
  OUR: ['Oxygen uptake rate'],
  CER: ['CPR', 'CO2 evolution rate'],
  RQ: ['Respiratory quotient'],
  'Feed volume': ['Feed total', 'V_feed'],
  'Base volume': ['Base total', 'V_base', 'NH4OH added'],
  'Acid volume': ['Acid total'],
  'Antifoam volume': ['AF total'],
  'Methanol volume': ['MeOH total'],
  'Permeate volume': ['Permeate total'],
  'Bleed volume': ['Bleed total'],
  'Culture volume': ['V_L', 'Working volume'],
  'Foam level': ['Foam'],
  OD600: ['Optical density', 'OD_600'],
  DCW: ['CDW', 'Dry cell weight', 'Biomass'],
  VCD: ['Viable cell density', 'Xv'],
  TCD: ['Total cell density'],
  Viability: ['Viab'],
  Glucose: ['Glc', 'D-glucose'],
  Acetate: ['Acetic acid'],
  Glycerol: [],
  Lactate: [],
  Methanol: ['MeOH'],
  'Final titer': [],
  Titer: ['Product titer', 'IgG', 'mAb'],
  'Initial volume': ['V0'],
  'Feed glucose concentration': ['S_F'],
}

const standardNames = new Map(
  Object.entries(alsoCalled).flatMap(([name, others]) =>
    [name, ...others].map((called): [string, string] => [called.toLowerCase(), name]),
  ),
)

/**
 * The standard name of a row of v_quantities, by its name or else by the first known alternative name; undefined for a
 * quantity that no invariant uses.
 */
export function standardNameOf({ name, alternative_names: others }: Row): string | undefined {
  const called = [name, ...(Array.isArray(others) ? (others as unknown[]) : [])]
  for (const text of called) {
    const standard = standardNames.get(keyOf(text).trim().toLowerCase())
    if (standard !== undefined) return standard
  }
  return undefined
}
