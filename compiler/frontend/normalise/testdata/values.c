/* Compares library/library.c with the C library: prints what is too far off. */
#include "../library/library.c"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long seed=7; static double rnd(double lo,double hi){seed=seed*6364136223846793005ul+1442695040888963407ul;return lo+(hi-lo)*((seed>>11)*0x1p-53);}
static double rel(double a,double b){ if(a==b||(isnan(a)&&isnan(b)))return 0; double m=fmax(fabs(a),fabs(b)); return fabs(a-b)/m;}
#define C1(F,lo,hi) {double w=0,wx=0;float wf=0,wxf=0;for(int i=0;i<20000;i++){double x=rnd(lo,hi);double e=rel(lib_##F(x),F(x));if(!(e<=w)){w=e;wx=x;}float g=x;float ef=rel(lib_##F##f(g),F##f(g));if(!(ef<=wf)){wf=ef;wxf=g;}}if(w>2e-13||wf>2e-5)printf("%-10s %.2g at %g   float %.2g at %g\n",#F,w,wx,wf,wxf);}
#define C2(F,lo,hi,lo2,hi2) {double w=0,wx=0,wy=0;float wf=0,wxf=0,wyf=0;for(int i=0;i<20000;i++){double x=rnd(lo,hi),y=rnd(lo2,hi2);double e=rel(lib_##F(x,y),F(x,y));if(!(e<=w)){w=e;wx=x;wy=y;}float g=x,h=y;float ef=rel(lib_##F##f(g,h),F##f(g,h));if(!(ef<=wf)){wf=ef;wxf=g;wyf=h;}}if(w>2e-13||wf>2e-5)printf("%-10s %.2g at %g,%g   float %.2g at %g,%g\n",#F,w,wx,wy,wf,wxf,wyf);}
int main(){
C1(ceil,-9,9)C1(trunc,-9,9)C1(round,-9,9)C1(rint,-9,9)C1(logb,-9,9)
C1(log,1e-9,100)C1(log10,1e-9,100)C1(log1p,-.99,3)C1(log1p,-1e-5,1e-5)C1(exp2,-30,30)C1(exp2,-120,120)C1(exp10,-5,8)C1(expm1,-3,3)C1(expm1,-1e-4,1e-4)C1(expm1,-100,80)
C1(cbrt,-100,100)C1(tan,-3,3)C1(atan,-10,10)C1(atan,-.001,.001)C1(asin,-1,1)C1(acos,-1,1)C1(sinh,-3,3)C1(sinh,-80,80)C1(cosh,-3,3)C1(tanh,-3,3)C1(tanh,-1e-3,1e-3)C1(tanh,-50,50)C1(asinh,-10,10)C1(asinh,-1e9,1e9)C1(acosh,1,10)C1(atanh,-1,1)C1(erf,-4,4)C1(erfc,-4,9)C1(lgamma,2.5,30)C1(tgamma,.5,30)
C2(pow,0,100,-10,10)C2(pow,.99,1.01,-100,1000)C2(atan2,-9,9,-9,9)C2(hypot,-9,9,-9,9)C2(remainder,-100,100,-3,3)C2(nextafter,-1,1,-1,1)C2(copysign,-1,1,-1,1)
for(int x=-40;x<41;x++)for(int y=-12;y<40;y++){double p=lib_pow(x,y),q=pow(x,y);if(rel(p,q)>1e-13||(fabs(q)<3e13&&y>0&&p!=q))printf("pow %d %d %.17g %.17g\n",x,y,p,q);}
double sp[]={0.0,-0.0,INFINITY,-INFINITY,NAN,1,-1,0.5,-0.5,1.5,2.5,-2.5,4503599627370497.5,1e300,1e-310,5e-324,-1e-310,3,709.7,-745,1e16};int n=sizeof sp/8;
#define S1(F) for(int i=0;i<n;i++){double a=lib_##F(sp[i]),b=F(sp[i]);if(rel(a,b)>1e-9||(a==b&&signbit(a)!=signbit(b)))printf(#F" %g: %g not %g\n",sp[i],a,b);float fa=lib_##F##f(sp[i]),fb=F##f(sp[i]);if(rel(fa,fb)>1e-4||(fa==fb&&signbit(fa)!=signbit(fb)))printf(#F"f %g: %g not %g\n",(float)sp[i],fa,fb);}
S1(ceil)S1(trunc)S1(round)S1(rint)S1(logb)S1(log)S1(log10)S1(log1p)S1(exp2)S1(exp10)S1(expm1)S1(cbrt)S1(tan)S1(atan)S1(asin)S1(acos)S1(sinh)S1(cosh)S1(tanh)S1(asinh)S1(acosh)S1(atanh)S1(erf)S1(erfc)
#define S2(F) for(int i=0;i<n;i++)for(int j=0;j<n;j++){double a=lib_##F(sp[i],sp[j]),b=F(sp[i],sp[j]);if(rel(a,b)>1e-9||(a==b&&signbit(a)!=signbit(b)))printf(#F" %g %g: %g not %g\n",sp[i],sp[j],a,b);}
S2(pow)S2(atan2)S2(hypot)S2(remainder)S2(nextafter)S2(copysign)S2(fdim)
for(int i=0;i<n;i++)for(int k=-1100;k<1100;k+=13){double a=lib_ldexp(sp[i],k),b=ldexp(sp[i],k);if(rel(a,b)>0)printf("ldexp %g %d: %g not %g\n",sp[i],k,a,b);int e,g;a=lib_frexp(sp[i],&e);b=frexp(sp[i],&g);if(isfinite(sp[i])&&(rel(a,b)>0||e!=g))printf("frexp %g: %g %d not %g %d\n",sp[i],a,e,b,g);double u,v;a=lib_modf(sp[i],&u);b=modf(sp[i],&v);if(rel(a,b)>0||rel(u,v)>0)printf("modf %g\n",sp[i]);}
}
