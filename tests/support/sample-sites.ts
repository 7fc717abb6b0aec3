import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Columns of the public list of street kiosks the sample follows. */
const heads = [
  "Site ID",
  "Planned Kiosk Type",
  "Installation Status",
  "PPT ID",
  "Legacy ID",
  "Borough",
  "Council District",
  "Community Board",
  "Street Address",
  "Cross Street 1",
  "Cross Street 2",
  "IxN Corner",
  "Postcode",
  "Zoning",
  "Latitude",
  "Longitude",
  "Installation Complete",
  "Activation Complete",
  "Neighborhood Tabulation Area (NTA)",
  "Building Identification Number (BIN)",
  "Borough-Block-Lot (BBL)",
  "Census Tract (CT)",
  "Location",
] as const;

const boroughs = [
  { name: "Manhattan", mark: "mn", share: 1230, lat: 40.775, lon: -73.97 },
  { name: "Queens", mark: "qu", share: 398, lat: 40.73, lon: -73.85 },
  { name: "Brooklyn", mark: "bk", share: 356, lat: 40.67, lon: -73.95 },
  { name: "Bronx", mark: "bx", share: 216, lat: 40.84, lon: -73.88 },
  { name: "Staten Island", mark: "si", share: 50, lat: 40.6, lon: -74.13 },
];
const types: [string, number][] = [
  ["Link1.0", 2040],
  ["Link5G_Ad", 150],
  ["Link5G_NonAd", 55],
  ["Public Payphones", 4],
  ["LINK1.0", 1],
];
const streets = [
  "BROADWAY",
  "ATLANTIC AVENUE",
  "GRAND CONCOURSE",
  "VICTORY BOULEVARD",
  "8 AVENUE",
  'SAINT "MARK" PLACE',
  "UNION TURNPIKE, NORTH",
];
/** Rows whose dates lie before what a plan can hold, and what they say. */
const impossible: Record<number, string> = { 300: "12/01/1971", 301: "12/01/1971", 700: "12/01/1971", 1500: "05/28/1992" };

// A small generator of numbers from 0 to 1, the same in every run.
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const american = (day: number): string => {
  const [year, month, date] = new Date(day * 86_400_000).toISOString().slice(0, 10).split("-");
  return `${month}/${date}/${year}`;
};

/**
 * A csv of the same shape as the public list of 2,250 finished kiosks: borough, type, address, coordinates and two real dates per row, four of them impossible.
 * @param count rows; above 2,250 the shares repeat
 */
export function sampleSites(count = 2250): string {
  const next = numbers(20_261_014);
  const pool = boroughs.flatMap((borough) => Array.from({ length: borough.share }, () => borough));
  const kinds = types.flatMap(([type, share]) => Array.from({ length: share }, () => type));
  const lines = Array.from({ length: count }, (_, row) => {
    const borough = pool[(row * 7) % pool.length] as (typeof boroughs)[number];
    const lat = (borough.lat + (next() - 0.5) * 0.1).toFixed(6);
    const lon = (borough.lon + (next() - 0.5) * 0.1).toFixed(6);
    const installed = 16_820 + Math.floor(next() * 3000);
    const activated = installed + Math.floor(next() ** 3 * 400);
    const id = `${borough.mark}-${String(1 + (row % 18)).padStart(2, "0")}-${100_000 + row}`;
    const cells: Record<(typeof heads)[number], string> = {
      "Site ID": id,
      "Planned Kiosk Type": kinds[(row * 11) % kinds.length] as string,
      "Installation Status": row % 173 === 0 ? "Removed Pending Reinstall" : "Live",
      "PPT ID": row % 15 === 0 ? "" : String(100_000 + row),
      "Legacy ID": row % 11 === 0 ? "" : id,
      Borough: borough.name,
      "Council District": String(1 + (row % 51)),
      "Community Board": String(101 + (row % 12)),
      "Street Address": `${1 + (row % 900)} ${streets[row % streets.length]}`,
      "Cross Street 1": `${1 + (row % 200)} STREET`,
      "Cross Street 2": `${2 + (row % 200)} STREET`,
      "IxN Corner": ["NE", "SE", "SW", "NW", ""][row % 5] as string,
      Postcode: String(10_001 + (row % 1400)),
      Zoning: "C4-2A",
      Latitude: lat,
      Longitude: lon,
      "Installation Complete": impossible[row] ?? american(installed),
      "Activation Complete": impossible[row] ?? american(activated),
      "Neighborhood Tabulation Area (NTA)": "Sample Heights-Old Town",
      "Building Identification Number (BIN)": String(4_000_000 + row),
      "Borough-Block-Lot (BBL)": String(4_000_000_000 + row),
      "Census Tract (CT)": String(1_000_000 + row),
      Location: `(${lat}, ${lon})`,
    };
    return heads.map((head) => quote(cells[head])).join(",");
  });
  return `${[heads.join(","), ...lines].join("\n")}\n`;
}

/** The public list itself where the folder of real data is present, else null. */
export function realSites(): Buffer | null {
  const file = join(resolve(process.env.SAMPLE_DATA ?? "../shared/data"), "linknyc/LinkNYC_Kiosk_Locations.csv");
  return existsSync(file) ? readFileSync(file) : null;
}
