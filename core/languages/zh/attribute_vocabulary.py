"""Chinese words that belong to an attribute, in whatever form of question. Pure."""

from ..scripts import either_script

WORDS: tuple[tuple[str, str], ...] = (
    (
        "residence",
        r"住(?:在|址|处|所|的地方|哪)?|地址|房子|小区|落脚|安家|安身|定居|落户|扎根|城市|哪座城|收[件货]"
        r"|快递|包裹|邮编|邮寄|老窝|租的?房|租在",
    ),
    (
        "workplace job",
        r"上班|公司|单位|打工|任职|就职|供职|东家|雇主|发工资|开工资|同事",
    ),
    (
        "job workplace",
        r"工作|职业|谋生|行业|行当|职位|岗位|职务|饭碗|靠什么(?:吃饭|过活|挣钱|赚钱)|养家|糊口|本行"
        r"|营生|名片",
    ),
    ("school", r"学校|上学|读书|念书|大学|校区|就读|高中|初中|年级"),
    ("major school", r"专业|院系|课程"),
    ("thesis", r"论文|课题|毕设|研究方向|研究的?是?什么"),
    (
        "partner marital",
        r"对象|恋爱|老公|老婆|男朋友|女朋友|男友|女友|另一半|伴侣|心上人|枕边人",
    ),
    ("marital partner", r"结婚|已婚|单身|感情|婚姻|脱单|分手|离婚"),
    ("marriage_date marital", r"婚礼|婚期|领证|办酒|喜酒|大喜|婚宴"),
    ("child family", r"孩子|小孩|娃|儿子|女儿|闺女|当爸|当妈"),
    ("pet pet:cat pet:dog", r"宠物|猫|狗|毛孩子|养(?:了|着|的|过|什么|啥)|动物|铲屎"),
    ("allergy diet", r"过敏|忌口|忌讳|忌|能(?:不能)?(?:吃|碰|沾)|避开|不吃"),
    ("diet allergy", r"吃素|吃荤|荤|饮食|食谱|吃肉|点菜|点餐"),
    ("favourite:food favourite like", r"爱吃|喜欢吃|美食|馋|口味|零食|最爱|心头好|好哪口|菜"),
    (
        "illness medication",
        r"病|身体|毛病|健康|哪里?疼|受伤|伤|不舒服|康复|体检|痊愈|好利索",
    ),
    ("medication", r"药"),
    ("favourite:drink favourite like", r"喝|饮料|咖啡|茶|提神|解渴"),
    ("alcohol", r"酒|应酬|小酌"),
    ("smoking", r"烟|烟瘾"),
    ("device:phone device", r"手机|机型|机子"),
    ("device:computer device", r"电脑|笔记本|台式|机器|设备|主机"),
    ("car", r"座驾|代步|加油|什么车|啥车|哪款车|的车|车子|开车|坐骑"),
    ("driving_licence", r"驾照|驾驶证|持证"),
    ("commute", r"通勤|交通|路上|返工|上班路|去公司"),
    ("gym exercise", r"健身房|撸铁|健身卡"),
    ("exercise sport gym hobby", r"健身|锻炼|运动|身材|保持体型"),
    (
        "hobby like favourite exercise",
        r"爱好|兴趣|业余|空闲|有空|周末|闲|消遣|休闲|打发时间|放松|得空|下了班|迷上|痴迷|热衷",
    ),
    ("instrument hobby", r"乐器|弹|吹奏"),
    ("language", r"外语|语言|语种|外文"),
    (
        "favourite:singer favourite:music like",
        r"歌|音乐|偶像|乐队|追星|歌单|单曲|听谁",
    ),
    ("favourite:game game like", r"游戏|开黑|上分"),
    ("favourite:show favourite:film like", r"追(?:的|什么|哪|啥)?剧|电影|综艺|动漫|看什么剧"),
    ("favourite:book like", r"什么书|哪本书|小说"),
    ("team favourite:team", r"球队|主队|支持(?:哪|谁)|看球|球迷"),
    (
        "boss",
        r"领导|上司|老板|汇报|主管|请假|审批|批假|顶头|上级|管着?我|归谁|头儿",
    ),
    ("landlord rent", r"房东|报修|房租|租金|交租|退租"),
    ("flatmate", r"室友|舍友|合租|同住|一起住|[跟和同]谁住|同屋|搭伙"),
    (
        "schedule:work work_hours",
        r"班次|上班时间|几点(?:上|下)班|轮班|值班|作息|[什哪]么?[天时].{0,2}休|倒班",
    ),
    ("work_mode", r"坐班|远程|居家|在家办公|办公|打卡|到岗"),
    ("salary", r"工资|月薪|收入|薪水|薪资|年薪|挣多少|到手"),
    ("rent", r"房租|租金"),
    ("contact:phone", r"电话|号码|手机号|联系方式|打给我"),
    ("contact:email", r"邮箱|邮件"),
    ("contact:wechat", r"微信"),
    ("age birthday", r"几岁|多大|年纪|岁数|年龄|多少岁"),
    ("birthday age", r"生日|出生|生辰|庆生"),
    ("name nickname", r"名字|姓什么|大名|真名|叫什么|叫啥"),
    ("nickname name", r"昵称|外号|绰号|网名|称呼"),
    ("height", r"身高|多高|个子|个头"),
    ("weight", r"体重|多少斤|几斤|多重|秤"),
    ("home_town", r"老家|籍贯|家乡|哪里人|哪儿人|故乡|祖籍"),
    ("glasses", r"眼镜|近视|度数|视力|眼睛"),
    ("debt", r"贷|债|欠|月供|分期|还款"),
    ("bank", r"银行|工资卡"),
    ("business", r"店|生意|买卖|铺"),
    ("provider:internet provider", r"宽带|运营商|套餐"),
    ("schedule:sleep sleep bedtime wake_time", r"睡|起床|作息|熬夜|闹钟"),
    ("bike commute", r"自行车|单车|电动车|摩托"),
    ("hair hairstyle", r"头发|发型|发色"),
    ("subscription", r"会员|订阅"),
    ("insurance", r"保险"),
    ("exam course school", r"考试|备考|考证|报的?什?么?班|上的?什么课"),
    ("plant garden hobby", r"植物|绿植|多肉|种的?(?:什么|啥)"),
    ("nationality passport visa", r"签证|国籍|护照"),
    ("project", r"项目"),
    ("device:camera camera device", r"相机|机身|镜头"),
    ("favourite:breakfast breakfast favourite:food diet", r"早餐|早饭|午饭|晚饭|夜宵"),
    ("favourite:colour favourite:color", r"什么颜色|啥颜色"),
    ("doctor dentist", r"医生|牙医|大夫"),
    ("savings debt", r"存款|积蓄"),
    ("religion", r"信仰|信教|宗教"),
    ("tattoo", r"纹身|刺青"),
    ("volunteering", r"志愿|义工|公益"),
)
"""The likeliest attribute first, and words that are about it."""

OCCASION = either_script(
    "上次|上[个]?(?:周|月|星期|礼拜)|昨[天晚]|前[天晚]|那[天次]|去年|今[天晚]|明[天年晚]|后天|下[个]?(?:周|月|星期)"
    "|打算|准备|计划|刚才|刚刚|为什么|为啥|多久|几次|多少次|什么时候(?!.*(?:婚|生日|上班|下班))"
)
"""What makes a question one about an occasion: no attribute answers it."""

OTHERS = either_script(
    "[表堂][哥弟姐妹]|阿[姨婆]|[我俺咱](?:的)?[娘爹]|[姨舅姑婶伯叔]|邻居|前任|前[男女]友|同学|老师|教练|朋友们|[他她]"
)
"""People whom no relation names under which anything is kept."""
