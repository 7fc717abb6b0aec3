import { routeLines } from "#lib/core/hash.ts";
import { projectNumberPattern, reservedSegments } from "#lib/core/href.ts";
import { locales } from "#lib/core/locale.ts";

/**
 * Script of the document head that opens an original address (`#/etmCheckItem?x=y`) before anything of the page loads, and one that comes by a
 * change of the fragment until the shell listens itself (it ends this by `milepostHash`): while React starts, the router writes the address back without its fragment.
 * On the sign-in page, which keeps the fragment, only a language named in it is heeded. The same reading as `matchHash` and `hrefOf`, written out because it runs alone; a test holds the two together.
 */
export function hashScript(): string {
  const table = JSON.stringify(routeLines()).replaceAll("<", "\\u003c");
  const reserved = JSON.stringify(reservedSegments);
  return `(function(){
function late(e){open(new URL(e.newURL).hash)}
addEventListener("hashchange",late);
globalThis.milepostHash=function(){removeEventListener("hashchange",late);delete globalThis.milepostHash};
open(location.hash);
function open(hash){
var h=hash.slice(1);if(!h)return;
var N=${projectNumberPattern},R=${reserved};
function ok(n){return N.test(n)&&R.indexOf(n.toLowerCase())<0}
function list(t){return t.split("/").filter(Boolean)}
function dec(t){try{return decodeURIComponent(t)}catch(e){return t}}
var cut=h.indexOf("?"),route=cut<0?h:h.slice(0,cut),own=new URLSearchParams(cut<0?"":h.slice(cut+1)),q=new URLSearchParams(location.search);
var first=location.pathname.split("/")[1]||"";
if(first==="sign-in"){var lang=own.get("lang");if(${JSON.stringify(locales)}.indexOf(lang)>=0&&!q.has("lang")){q.set("lang",lang);location.replace(location.pathname+"?"+q+hash)}return}
if(first&&!ok(first))return;
var parts=list(route).map(dec),slash=route[0]==="/",best=null;if(!parts.length&&!slash)return;
${table}.split("\\n").forEach(function(line){
var at=line.indexOf(" "),seg=list(line.slice(0,at)),params={},count=0;
if(seg.length!==parts.length)return;
for(var i=0;i<seg.length;i++){if(seg[i][0]===":"){params[seg[i].slice(1)]=parts[i];count++}else if(seg[i].toLowerCase()!==parts[i].toLowerCase())return}
if(count&&!slash)return;
if(!best||count<best.count)best={count:count,params:params,to:line.slice(at+1)}});
if(!best&&!slash)return;
var to=best?best.to.split("?"):[parts.map(encodeURIComponent).join("/"),""];
var path=best?to[0].replace(/:(\\w+)/g,function(m,n){return encodeURIComponent(best.params[n])}):to[0];
var n=q.get("projectNumber");if(n===null)n=own.get("projectNumber");if(n===null)n=first;
if(!n||!ok(n))return;
Array.from(new Set(own.keys())).forEach(function(k){q.delete(k)});
own.forEach(function(v,k){q.append(k,v)});q.delete("projectNumber");
new URLSearchParams(to[1]).forEach(function(v,k){q.set(k,v)});
var s=q.toString(),url="/"+n+(path?"/"+path:"")+(s?"?"+s:"");
if(url===location.pathname+location.search)history.replaceState(history.state,"",url);else location.replace(url)}})()`;
}
