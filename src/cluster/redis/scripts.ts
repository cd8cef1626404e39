/**
 * What Redis does in one step. All keys begin with KEYS[1], whose hash tag keeps them in one slot of a Redis Cluster, so a
 * script may touch several of them. `{ok}` lists come back as arrays of strings; nil inside a list would end it, so `''`
 * stands for nothing.
 */

const HEAD = `
local P=KEYS[1]
local OVER={completed=1,failed=1,cancelled=1,interrupted=1}
local function s(v) if v then return tostring(v) end return '' end
local function runKey(id) return P..':run:'..id end
local function due(session)
  local id=redis.call('LINDEX',P..':line:'..session,0)
  if not id then return {'','',''} end
  local r=redis.call('HMGET',runKey(id),'epoch','queue','ticket')
  if r[1]~='0' then return {'','',''} end
  return {id,r[2],r[3]}
end
local function changed(id)
  redis.call('ZADD',P..':feed',redis.call('INCR',P..':position'),id)
  redis.call('PUBLISH',P..':changes',id)
end
local function attending(id)
  local all=redis.call('HGETALL',P..':att:'..id)
  local waiting,hearing,detached=0,0,0
  for i=1,#all,2 do
    if all[i]=='.detached' then detached=1 else
      waiting=waiting+1
      if all[i+1]=='h' then hearing=hearing+1 end
    end
  end
  return waiting,hearing,detached
end
`;

/** id, session, record, turn, session record or '', key, fingerprint, refuse when busy, most, caller, most of a caller, attendee, queue */
const ACCEPT = `${HEAD}
local id,ses=ARGV[1],ARGV[2]
local key=P..':key:'..ARGV[6]
if ARGV[6]~='' then
  local k=redis.call('HMGET',key,'run','fingerprint')
  if k[1] then
    local by=redis.call('HMGET',runKey(k[1]),'status','ended_by')
    if by[1] then
      if k[2]~=ARGV[7] then return {'conflict','0'} end
      if by[2]~='disconnect' then return {'known',k[1]} end
    end
  end
end
local sk=P..':ses:'..ses
if ARGV[5]=='' and redis.call('EXISTS',sk)==0 then return {'not-found','0'} end
local line=P..':line:'..ses
if ARGV[8]=='1' and redis.call('LLEN',line)>0 then return {'session-busy','0'} end
local waiting=redis.call('ZCARD',P..':queued')
if waiting>=tonumber(ARGV[9]) then return {'busy',waiting} end
local callers=P..':callers'
local own=tonumber(redis.call('HGET',callers,ARGV[10]) or '0')
if own>=tonumber(ARGV[11]) then return {'busy',own} end
local n=redis.call('INCR',P..':n')
if ARGV[5]~='' then redis.call('HSET',sk,'record',ARGV[5]) end
redis.call('ZADD',P..':sessions',n,ses)
local tickets=P..':tickets'
local from=tonumber(redis.call('HGET',tickets,'.now') or '0')
local mine=tonumber(redis.call('HGET',tickets,'@'..ARGV[10]) or '0')
if mine>from then from=mine end
redis.call('HSET',tickets,'@'..ARGV[10],from+1)
redis.call('HINCRBY',callers,ARGV[10],1)
redis.call('HSET',runKey(id),'record',ARGV[3],'turn',ARGV[4],'status','queued','ended_by','','seq','0','epoch','0','session',ses,
  'caller',ARGV[10],'ticket',from+1,'queue',ARGV[13],'key',ARGV[6],'worker','')
redis.call('ZADD',P..':runs',n,id)
redis.call('ZADD',P..':queued',n,id)
redis.call('SADD',P..':queues',ARGV[13])
redis.call('RPUSH',P..':of:'..ses,id)
redis.call('RPUSH',line,id)
if ARGV[6]~='' then redis.call('HSET',key,'run',id,'fingerprint',ARGV[7]) redis.call('PERSIST',key) end
if ARGV[12]=='' then redis.call('HSET',P..':att:'..id,'.detached','1') else redis.call('HSET',P..':att:'..id,ARGV[12],'h') end
changed(id)
local d=due(ses)
if d[1]~=id then d={'','',''} end
return {'accepted',d[1],d[2],d[3]}
`;

/** run, operation, id */
const ATTEND = `${HEAD}
local a,r=P..':att:'..ARGV[1],redis.call('HMGET',runKey(ARGV[1]),'status','key')
local over,keyed=0,0
if not r[1] or OVER[r[1]] then over=1 end
if r[2] and r[2]~='' then keyed=1 end
if over==0 then
  if ARGV[2]=='attend' then redis.call('HSET',a,ARGV[3],'h')
  elseif ARGV[2]=='deaf' then if redis.call('HEXISTS',a,ARGV[3])==1 then redis.call('HSET',a,ARGV[3],'d') end
  elseif ARGV[2]=='leave' then redis.call('HDEL',a,ARGV[3])
  elseif ARGV[2]=='detach' then redis.call('HSET',a,'.detached','1') end
end
local w,h,d=attending(ARGV[1])
return {w,h,d,over,keyed}
`;

/** run, worker, home: the worker's id, or '' */
const CLAIM = `${HEAD}
local r=runKey(ARGV[1])
local f=redis.call('HMGET',r,'status','caller','ticket','seq','session','record','turn')
if not f[1] then return {'unknown'} end
if OVER[f[1]] then return {'over'} end
local epoch=redis.call('HINCRBY',r,'epoch',1)
redis.call('HSET',r,'worker',ARGV[2])
if epoch>1 then return {'lost',epoch,f[6],f[4]} end
local score=redis.call('ZSCORE',P..':queued',ARGV[1]) or '0'
redis.call('ZREM',P..':queued',ARGV[1])
redis.call('ZADD',P..':claimed',score,ARGV[1])
local left=redis.call('HINCRBY',P..':callers',f[2],-1)
if left<=0 then redis.call('HDEL',P..':callers',f[2]) end
local tickets=P..':tickets'
if redis.call('ZCARD',P..':queued')==0 then redis.call('DEL',tickets)
else
  local now=tonumber(redis.call('HGET',tickets,'.now') or '0')
  if tonumber(f[3])-1>now then redis.call('HSET',tickets,'.now',tonumber(f[3])-1) end
end
if ARGV[3]~='' then redis.call('HSETNX',P..':ses:'..f[5],'home',ARGV[3]) end
local w,h,d=attending(ARGV[1])
local box=redis.call('LRANGE',P..':box:'..ARGV[1],0,-1)
redis.call('DEL',P..':box:'..ARGV[1])
local out={'begin',epoch,f[6],f[4],f[7],w,h,d}
for _,v in ipairs(box) do out[#out+1]=v end
return out
`;

/** run, epoch, first number, status, record, ended_by, native, runtime, time of the change, life of its key in ms, lines… */
const APPEND = `${HEAD}
local r=runKey(ARGV[1])
local f=redis.call('HMGET',r,'status','epoch','seq','session','key')
if not f[1] or f[2]~=ARGV[2] then return {'fenced'} end
local seq,first=tonumber(f[3]),tonumber(ARGV[3])
local last=first+#ARGV-11
if OVER[f[1]] then
  if seq>=last and OVER[ARGV[4]] then local d=due(f[4]) return {'ok',d[1],d[2],d[3]} end
  return {'fenced'}
end
if first>seq+1 then return {'behind',seq} end
for i=11,#ARGV do
  local n=first+i-11
  if n>seq then redis.call('XADD',P..':ev:'..ARGV[1],n..'-0','e',ARGV[i]) seq=n end
end
redis.call('HSET',r,'seq',seq,'record',ARGV[5],'status',ARGV[4],'ended_by',ARGV[6])
local ses=P..':ses:'..f[4]
if redis.call('EXISTS',ses)==1 then
  if ARGV[7]~='' then redis.call('HSET',ses,'native',ARGV[7]) end
  if ARGV[8]~='' then redis.call('HSET',ses,'runtime',ARGV[8]) end
end
local d={'','',''}
if OVER[ARGV[4]] then
  redis.call('HDEL',r,'turn')
  redis.call('ZADD',P..':ended',ARGV[9],ARGV[1])
  redis.call('ZREM',P..':claimed',ARGV[1])
  redis.call('ZREM',P..':queued',ARGV[1])
  redis.call('DEL',P..':att:'..ARGV[1],P..':box:'..ARGV[1])
  redis.call('LREM',P..':line:'..f[4],0,ARGV[1])
  if redis.call('EXISTS',ses)==1 then
    redis.call('HSET',ses,'updated',ARGV[9])
    redis.call('ZADD',P..':sessions',redis.call('INCR',P..':n'),f[4])
  end
  if f[5]~='' then redis.call('PEXPIRE',P..':key:'..f[5],ARGV[10]) end
  d=due(f[4])
end
if ARGV[4]~=f[1] or OVER[ARGV[4]] then changed(ARGV[1]) end
redis.call('PUBLISH',P..':run:'..ARGV[1],seq)
return {'ok',d[1],d[2],d[3]}
`;

/** run, mail, letter, whether it is guidance */
const POST = `${HEAD}
local before=redis.call('GET',P..':receipt:'..ARGV[2])
if before then return {'receipt',before} end
local f=redis.call('HMGET',runKey(ARGV[1]),'status','epoch','worker')
if not f[1] or OVER[f[1]] then return {'over'} end
if f[2]=='0' then
  if ARGV[4]~='1' then return {'queued'} end
  local nth=redis.call('RPUSH',P..':box:'..ARGV[1],ARGV[2],ARGV[3])/2
  redis.call('SET',P..':receipt:'..ARGV[2],'{"ok":true,"id":"s'..nth..'","did":true}','EX',86400)
  return {'kept',nth}
end
if not redis.call('SET',P..':sent:'..ARGV[2],'1','NX','EX',3600) then return {'posted'} end
local worker=f[3]:match('^(.*)#') or f[3]
redis.call('XADD',P..':mail:'..worker,'*','run',ARGV[1],'epoch',f[2],'mail',ARGV[2],'letter',ARGV[3])
redis.call('PUBLISH',P..':mail:'..worker,ARGV[1])
return {'posted'}
`;

/** session, whether only one in which nothing is under way */
const DROP = `${HEAD}
if ARGV[2]=='1' and redis.call('LLEN',P..':line:'..ARGV[1])>0 then return {'busy'} end
for _,id in ipairs(redis.call('LRANGE',P..':of:'..ARGV[1],0,-1)) do
  redis.call('DEL',runKey(id),P..':ev:'..id,P..':notes:'..id,P..':att:'..id,P..':box:'..id)
  for _,z in ipairs({'runs','feed','queued','claimed','ended'}) do redis.call('ZREM',P..':'..z,id) end
end
redis.call('DEL',P..':ses:'..ARGV[1],P..':of:'..ARGV[1],P..':line:'..ARGV[1])
redis.call('ZREM',P..':sessions',ARGV[1])
return {'ok'}
`;

/** run */
const SEAL = `${HEAD}
local status=redis.call('HGET',runKey(ARGV[1]),'status')
if status and OVER[status] then
  redis.call('HSET',runKey(ARGV[1]),'archived','1')
  redis.call('DEL',P..':ev:'..ARGV[1])
end
redis.call('ZREM',P..':ended',ARGV[1])
return {'ok'}
`;

/** member, instance, what it says, milliseconds */
const BEAT = `${HEAD}
local k=P..':member:'..ARGV[1]
local by=redis.call('HGET',k,'instance')
if by and by~=ARGV[2] then return {'taken'} end
redis.call('HSET',k,'instance',ARGV[2],'is',ARGV[3])
redis.call('PEXPIRE',k,ARGV[4])
redis.call('SADD',P..':members',ARGV[1])
return {'ok'}
`;

/** member, instance */
const LEAVE = `${HEAD}
local k=P..':member:'..ARGV[1]
if redis.call('HGET',k,'instance')==ARGV[2] then redis.call('DEL',k) redis.call('SREM',P..':members',ARGV[1]) end
return {'ok'}
`;

/** instance, milliseconds */
const LEAD = `${HEAD}
local k=P..':leader'
local by=redis.call('GET',k)
if by and by~=ARGV[1] then return {'no'} end
redis.call('SET',k,ARGV[1],'PX',ARGV[2])
return {'yes'}
`;

/** Runs that are not over: run, session, queue, ticket, worker, first or not; one after another. */
const OPEN = `${HEAD}
local out={}
for _,z in ipairs({'claimed','queued'}) do
  for _,id in ipairs(redis.call('ZRANGE',P..':'..z,0,tonumber(ARGV[1])-1)) do
    local f=redis.call('HMGET',runKey(id),'session','queue','ticket','worker')
    if f[1] then
      local first='0'
      if redis.call('LINDEX',P..':line:'..f[1],0)==id then first='1' end
      for _,v in ipairs({id,f[1],f[2],f[3],s(f[4]),first}) do out[#out+1]=v end
    else redis.call('ZREM',P..':'..z,id) end
  end
end
return out
`;

export const SCRIPTS = {
  accept: ACCEPT,
  attend: ATTEND,
  claim: CLAIM,
  append: APPEND,
  post: POST,
  drop: DROP,
  seal: SEAL,
  beat: BEAT,
  leave: LEAVE,
  lead: LEAD,
  open: OPEN,
} as const;
export type Script = keyof typeof SCRIPTS;
